import { getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { credential, credentialSecret } from '../../access/credential/table.ts';
import { identityProvider } from '../../access/oidc/table.ts';
import { usedChallenge } from '../../access/passkey/table.ts';
import { savedView } from '../../access/saved-view/table.ts';
import { session } from '../../access/session/table.ts';
import { authority, identity, passkey, user } from '../../access/user/table.ts';
import { commandLog } from '../../core/writer/audit-table.ts';
import { idempotency, storeRewind } from '../../core/writer/table.ts';
import { mailRecipient, webhook, webhookDelivery, webhookMessage } from '../../delivery/webhook/table.ts';
import { alert, alertPallet } from '../../dispatch/alert/table.ts';
import { calibration } from '../../dispatch/calibration/store.ts';
import { client } from '../../dispatch/client/store.ts';
import { customField } from '../../dispatch/custom-field/store.ts';
import { device } from '../../dispatch/device/table.ts';
import { gate } from '../../dispatch/gate/store.ts';
import { manifest } from '../../dispatch/load/manifest/table.ts';
import { assetLoading, loadingCorrection, signature } from '../../dispatch/load/shared/table.ts';
import { shipment, shipmentManifest } from '../../dispatch/load/shipment/table.ts';
import { scan } from '../../dispatch/loading/table.ts';
import { markerAllocation } from '../../dispatch/marker/store.ts';
import { photo } from '../../dispatch/photo/store.ts';
import { printingBatch } from '../../dispatch/printing-batch/table.ts';
import { shipmentFigures } from '../../dispatch/report/store.ts';
import { gateTablet, gateTurn, gateWorker } from '../../dispatch/tablet/table.ts';
import { track, trackComment } from '../../dispatch/track/table.ts';
import { eventLog } from '../../log/event/table.ts';
import { operation, operationPart } from '../../log/operation/table.ts';
import { archivedMarker, archiveEntry, archiveObject } from '../archive/table.ts';
import { deadLetter } from '../dead-letter/table.ts';

const TABLES: readonly SQLiteTable[] = [
  commandLog,
  storeRewind,
  loadingCorrection,
  idempotency,
  eventLog,
  authority,
  user,
  session,
  savedView,
  identityProvider,
  identity,
  passkey,
  usedChallenge,
  credential,
  credentialSecret,
  gate,
  gateTablet,
  gateWorker,
  gateTurn,
  device,
  calibration,
  client,
  markerAllocation,
  printingBatch,
  track,
  trackComment,
  customField,
  assetLoading,
  manifest,
  shipment,
  shipmentManifest,
  photo,
  shipmentFigures,
  signature,
  archiveEntry,
  archiveObject,
  archivedMarker,
  scan,
  alert,
  alertPallet,
  webhook,
  webhookMessage,
  mailRecipient,
  webhookDelivery,
  operation,
  operationPart,
  deadLetter,
];

/** The tables of an export by name. */
export const EXPORTED_TABLES: ReadonlyMap<string, SQLiteTable> = new Map(
  TABLES.map((table) => [getTableName(table), table]),
);
