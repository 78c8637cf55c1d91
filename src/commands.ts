import { deleteCalibration, putCalibration } from './calibration/commands.ts';
import { createCredential, revokeCredential, rotateCredential } from './credential/commands.ts';
import { createDevice, deleteDevice, reportDevice } from './device/commands.ts';
import {
  assignManifestGate,
  attachTrack,
  changeManifestStatus,
  createManifest,
  deleteManifest,
  detachTrack,
  putManifestField,
  removeManifestField,
  replaceManifest,
} from './manifest/commands.ts';
import { allocateMarkers } from './marker/commands.ts';
import { createOrganization, updateOrganization } from './organization/commands.ts';
import { deleteGate, putGate } from './site/commands.ts';
import {
  allocateAndCouple,
  commentTrack,
  coupleTrack,
  deleteTrack,
  flagTrack,
  retireTrack,
  revertRetirement,
  unflagTrack,
} from './track/commands.ts';

/** Everything the writer can be asked to do, by name. */
export const commands = {
  createOrganization,
  updateOrganization,
  createCredential,
  rotateCredential,
  revokeCredential,
  putGate,
  deleteGate,
  createDevice,
  deleteDevice,
  reportDevice,
  putCalibration,
  deleteCalibration,
  allocateMarkers,
  coupleTrack,
  allocateAndCouple,
  retireTrack,
  revertRetirement,
  deleteTrack,
  flagTrack,
  unflagTrack,
  commentTrack,
  createManifest,
  replaceManifest,
  deleteManifest,
  attachTrack,
  detachTrack,
  changeManifestStatus,
  assignManifestGate,
  putManifestField,
  removeManifestField,
};

export type Commands = typeof commands;
