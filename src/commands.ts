import * as credential from './access/credential/commands.ts';
import * as database from './access/database/commands.ts';
import * as oidc from './access/oidc/commands.ts';
import * as organization from './access/organization/commands.ts';
import * as organizationShipments from './access/organization/shipment-commands.ts';
import * as passkey from './access/passkey/commands.ts';
import * as savedView from './access/saved-view/commands.ts';
import * as session from './access/session/commands.ts';
import * as sessionPassword from './access/session/password-commands.ts';
import * as userAuthority from './access/user/authority-commands.ts';
import * as user from './access/user/commands.ts';
import * as userErase from './access/user/erase-commands.ts';
import * as userInvite from './access/user/invite-commands.ts';
import { registry } from './core/writer/command.ts';
import * as webhook from './delivery/webhook/commands.ts';
import * as webhookDelivery from './delivery/webhook/delivery-commands.ts';
import * as mail from './delivery/webhook/mail-commands.ts';
import * as webhookSecret from './delivery/webhook/secret-commands.ts';
import * as alert from './dispatch/alert/commands.ts';
import * as calibration from './dispatch/calibration/commands.ts';
import * as client from './dispatch/client/commands.ts';
import * as departure from './dispatch/departure/commands.ts';
import * as device from './dispatch/device/commands.ts';
import * as deviceSilence from './dispatch/device/silence-commands.ts';
import * as gate from './dispatch/gate/commands.ts';
import * as gateMany from './dispatch/gate/many-commands.ts';
import * as manifest from './dispatch/load/manifest/commands.ts';
import * as manifestCoupling from './dispatch/load/manifest/coupling-commands.ts';
import * as manifestCreation from './dispatch/load/manifest/creation-commands.ts';
import * as manifestLifecycle from './dispatch/load/manifest/lifecycle-commands.ts';
import * as manifestMany from './dispatch/load/manifest/many-commands.ts';
import * as manifestSignature from './dispatch/load/manifest/signature-commands.ts';
import * as shipmentArrival from './dispatch/load/shipment/arrival-commands.ts';
import * as shipmentBulk from './dispatch/load/shipment/bulk-commands.ts';
import * as shipmentChange from './dispatch/load/shipment/change-commands.ts';
import * as shipment from './dispatch/load/shipment/commands.ts';
import * as shipmentLifecycle from './dispatch/load/shipment/lifecycle-commands.ts';
import * as shipmentMany from './dispatch/load/shipment/many-commands.ts';
import * as shipmentOrder from './dispatch/load/shipment/order-commands.ts';
import * as shipmentSignature from './dispatch/load/shipment/signature-commands.ts';
import * as loading from './dispatch/loading/commands.ts';
import * as loadingScan from './dispatch/loading/scan-commands.ts';
import * as marker from './dispatch/marker/commands.ts';
import * as photo from './dispatch/photo/commands.ts';
import * as printingBatch from './dispatch/printing-batch/commands.ts';
import * as simulation from './dispatch/simulation/commands.ts';
import * as tablet from './dispatch/tablet/commands.ts';
import * as tabletLimit from './dispatch/tablet/limit-commands.ts';
import * as tabletWorker from './dispatch/tablet/worker-commands.ts';
import * as trackBackground from './dispatch/track/background-commands.ts';
import * as track from './dispatch/track/commands.ts';
import * as trackCoupling from './dispatch/track/coupling-commands.ts';
import * as undo from './dispatch/undo/commands.ts';
import * as retention from './retention/commands.ts';
import * as deadLetter from './storage/dead-letter/commands.ts';
import * as move from './storage/move/commands.ts';
import * as transfer from './storage/transfer/commands.ts';

/** All commands that these modules export, by name. */
export const commands = registry([
  credential,
  database,
  oidc,
  organization,
  organizationShipments,
  passkey,
  savedView,
  session,
  sessionPassword,
  userAuthority,
  user,
  userErase,
  userInvite,
  webhook,
  webhookDelivery,
  webhookSecret,
  mail,
  alert,
  calibration,
  client,
  departure,
  device,
  deviceSilence,
  gate,
  gateMany,
  loading,
  loadingScan,
  manifest,
  manifestCoupling,
  manifestCreation,
  manifestLifecycle,
  manifestMany,
  manifestSignature,
  marker,
  photo,
  printingBatch,
  shipmentArrival,
  shipmentBulk,
  shipmentChange,
  shipment,
  shipmentLifecycle,
  shipmentMany,
  shipmentOrder,
  shipmentSignature,
  simulation,
  tablet,
  tabletLimit,
  tabletWorker,
  trackBackground,
  track,
  trackCoupling,
  undo,
  retention,
  deadLetter,
  move,
  transfer,
]);

export type Commands = typeof commands;
