import { resolveAlert, resolveAlerts } from './alert/commands.ts';
import { deleteCalibration, putCalibration } from './calibration/commands.ts';
import { createClient, deleteClient, updateClient } from './client/commands.ts';
import { createCredential, revokeCredential, rotateCredential } from './credential/commands.ts';
import { updateDatabase } from './database/commands.ts';
import { resendDeadLetter } from './dead-letter/commands.ts';
import { createDevice, deleteDevice, reportDevice, updateDevice } from './device/commands.ts';
import { noteSilence } from './device/silence-commands.ts';
import { markLoading, removeInvalidLoading } from './loading/commands.ts';
import { recordScans } from './loading/scan-commands.ts';
import {
  attachTrack,
  createManifest,
  detachTrack,
  putManifestField,
  removeManifestField,
  replaceManifest,
} from './manifest/commands.ts';
import { assignManifestGate, changeManifestStatus, deleteManifest } from './manifest/lifecycle-commands.ts';
import { assignManifestsGate } from './manifest/many-commands.ts';
import { allocateMarkers } from './marker/commands.ts';
import { acceptMove, noteMove } from './move/commands.ts';
import { beginIdentitySession, putProvider, removeProvider } from './oidc/commands.ts';
import { createOrganization, suspendOrganization, updateOrganization } from './organization/commands.ts';
import { addPasskey, beginPasskeySession, deletePasskey, renamePasskey } from './passkey/commands.ts';
import {
  changePrintingBatchStatus,
  createPrintingBatch,
  deletePrintingBatch,
} from './printing-batch/commands.ts';
import { archiveTracks, archiveUnit } from './retention/commands.ts';
import { deleteView, renameView, saveView } from './saved-view/commands.ts';
import { beginSession, endSessions } from './session/commands.ts';
import { changePassword, redeemInvite } from './session/password-commands.ts';
import { acceptBulkUpsert, carryOutBulkUpsert } from './shipment/bulk-commands.ts';
import { planShipment, replaceShipment } from './shipment/change-commands.ts';
import { createShipment, deleteShipment } from './shipment/commands.ts';
import {
  assignShipmentGate,
  attachManifests,
  changeShipmentStatus,
  detachManifests,
  putShipmentField,
  removeShipmentField,
} from './shipment/lifecycle-commands.ts';
import { assignShipmentsGate } from './shipment/many-commands.ts';
import { acceptSimulation, carryOutSimulation } from './simulation/commands.ts';
import { deleteGate, putGate } from './site/commands.ts';
import { createTablet, pairTablet, renameTablet, revokeTablet } from './tablet/commands.ts';
import { endSignInLimit, noteSignInLimit } from './tablet/limit-commands.ts';
import {
  beginTurn,
  changeWorkerCode,
  createWorker,
  deleteWorker,
  endTurn,
} from './tablet/worker-commands.ts';
import { acceptAllocateAndCouple, acceptCoupling, carryOutCoupling } from './track/background-commands.ts';
import {
  commentTrack,
  deleteTrack,
  flagTrack,
  retireTrack,
  revertRetirement,
  unflagTrack,
} from './track/commands.ts';
import { allocateAndCouple, coupleTrack } from './track/coupling-commands.ts';
import { acceptErasure, acceptImport } from './transfer/commands.ts';
import { putAuthority } from './user/authority-commands.ts';
import { createUser, deleteUser, resetPassword, updateUser } from './user/commands.ts';
import { eraseRecords, eraseUser, finishErasing } from './user/erase-commands.ts';
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from './webhook/commands.ts';
import { disableWebhook, replayWebhook, resendDelivery, testWebhook } from './webhook/delivery-commands.ts';

/** All commands of the writer by name. */
export const commands = {
  resolveAlerts,
  assignManifestsGate,
  assignShipmentsGate,
  saveView,
  renameView,
  deleteView,
  createOrganization,
  updateDatabase,
  acceptMove,
  noteMove,
  acceptImport,
  acceptErasure,
  updateOrganization,
  suspendOrganization,
  createCredential,
  rotateCredential,
  revokeCredential,
  acceptSimulation,
  carryOutSimulation,
  putGate,
  deleteGate,
  createDevice,
  deleteDevice,
  reportDevice,
  updateDevice,
  noteSilence,
  putCalibration,
  deleteCalibration,
  allocateMarkers,
  createPrintingBatch,
  changePrintingBatchStatus,
  deletePrintingBatch,
  createClient,
  updateClient,
  deleteClient,
  coupleTrack,
  allocateAndCouple,
  acceptCoupling,
  acceptAllocateAndCouple,
  carryOutCoupling,
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
  createShipment,
  planShipment,
  replaceShipment,
  deleteShipment,
  attachManifests,
  detachManifests,
  assignShipmentGate,
  changeShipmentStatus,
  putShipmentField,
  removeShipmentField,
  acceptBulkUpsert,
  carryOutBulkUpsert,
  markLoading,
  removeInvalidLoading,
  recordScans,
  archiveUnit,
  archiveTracks,
  resolveAlert,
  putAuthority,
  createUser,
  updateUser,
  deleteUser,
  eraseUser,
  eraseRecords,
  finishErasing,
  resetPassword,
  beginSession,
  putProvider,
  removeProvider,
  beginIdentitySession,
  addPasskey,
  renamePasskey,
  deletePasskey,
  beginPasskeySession,
  endSessions,
  changePassword,
  redeemInvite,
  createTablet,
  pairTablet,
  renameTablet,
  revokeTablet,
  createWorker,
  changeWorkerCode,
  deleteWorker,
  beginTurn,
  endTurn,
  noteSignInLimit,
  endSignInLimit,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
  resendDelivery,
  disableWebhook,
  resendDeadLetter,
};

export type Commands = typeof commands;
