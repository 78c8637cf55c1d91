import { createCredential, revokeCredential, rotateCredential } from './access/credential/commands.ts';
import { updateDatabase } from './access/database/commands.ts';
import { beginIdentitySession, putProvider, removeProvider } from './access/oidc/commands.ts';
import {
  createOrganization,
  suspendOrganization,
  updateOrganization,
} from './access/organization/commands.ts';
import { addPasskey, beginPasskeySession, deletePasskey, renamePasskey } from './access/passkey/commands.ts';
import { deleteView, renameView, saveView } from './access/saved-view/commands.ts';
import { beginSession, endSessions } from './access/session/commands.ts';
import { changePassword, redeemInvite } from './access/session/password-commands.ts';
import { putAuthority } from './access/user/authority-commands.ts';
import { createUser, deleteUser, resetPassword, updateUser } from './access/user/commands.ts';
import { eraseRecords, eraseUser, finishErasing } from './access/user/erase-commands.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from './delivery/webhook/commands.ts';
import {
  disableWebhook,
  replayWebhook,
  resendDelivery,
  testWebhook,
} from './delivery/webhook/delivery-commands.ts';
import { resolveAlert, resolveAlerts } from './dispatch/alert/commands.ts';
import { deleteCalibration, putCalibration } from './dispatch/calibration/commands.ts';
import { createClient, deleteClient, updateClient } from './dispatch/client/commands.ts';
import { createDevice, deleteDevice, reportDevice, updateDevice } from './dispatch/device/commands.ts';
import { noteSilence } from './dispatch/device/silence-commands.ts';
import { deleteGate, putGate } from './dispatch/gate/commands.ts';
import { markLoading, removeInvalidLoading } from './dispatch/loading/commands.ts';
import { recordScans } from './dispatch/loading/scan-commands.ts';
import {
  attachTrack,
  createManifest,
  detachTrack,
  putManifestField,
  removeManifestField,
  replaceManifest,
} from './dispatch/manifest/commands.ts';
import {
  assignManifestGate,
  changeManifestStatus,
  deleteManifest,
} from './dispatch/manifest/lifecycle-commands.ts';
import { assignManifestsGate } from './dispatch/manifest/many-commands.ts';
import { allocateMarkers } from './dispatch/marker/commands.ts';
import {
  changePrintingBatchStatus,
  createPrintingBatch,
  deletePrintingBatch,
} from './dispatch/printing-batch/commands.ts';
import { acceptBulkUpsert, carryOutBulkUpsert } from './dispatch/shipment/bulk-commands.ts';
import { planShipment, replaceShipment } from './dispatch/shipment/change-commands.ts';
import { createShipment, deleteShipment } from './dispatch/shipment/commands.ts';
import {
  assignShipmentGate,
  attachManifests,
  changeShipmentStatus,
  detachManifests,
  putShipmentField,
  removeShipmentField,
} from './dispatch/shipment/lifecycle-commands.ts';
import { assignShipmentsGate } from './dispatch/shipment/many-commands.ts';
import { acceptSimulation, carryOutSimulation } from './dispatch/simulation/commands.ts';
import { createTablet, pairTablet, renameTablet, revokeTablet } from './dispatch/tablet/commands.ts';
import { endSignInLimit, noteSignInLimit } from './dispatch/tablet/limit-commands.ts';
import {
  beginTurn,
  changeWorkerCode,
  createWorker,
  deleteWorker,
  endTurn,
} from './dispatch/tablet/worker-commands.ts';
import {
  acceptAllocateAndCouple,
  acceptCoupling,
  carryOutCoupling,
} from './dispatch/track/background-commands.ts';
import {
  commentTrack,
  deleteTrack,
  flagTrack,
  retireTrack,
  revertRetirement,
  unflagTrack,
} from './dispatch/track/commands.ts';
import { allocateAndCouple, coupleTrack } from './dispatch/track/coupling-commands.ts';
import { archiveLoad, archiveTracks } from './retention/commands.ts';
import { resendDeadLetter } from './storage/dead-letter/commands.ts';
import { acceptMove, noteMove } from './storage/move/commands.ts';
import { acceptErasure, acceptImport } from './storage/transfer/commands.ts';

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
  archiveUnit: archiveLoad,
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
