import { getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { alert } from '../alert/table.ts';
import { archivedMarker, archiveEntry, archiveObject } from '../archive/table.ts';
import { calibration } from '../calibration/table.ts';
import { client } from '../client/table.ts';
import { credential, credentialSecret } from '../credential/table.ts';
import { customField } from '../custom-field/table.ts';
import { deadLetter } from '../dead-letter/table.ts';
import { device } from '../device/table.ts';
import { event } from '../event/table.ts';
import { scan } from '../loading/table.ts';
import { assetLoading, loadingCorrection } from '../manifest/asset-table.ts';
import { manifest } from '../manifest/table.ts';
import { markerAllocation } from '../marker/table.ts';
import { identityProvider } from '../oidc/table.ts';
import { operation, operationItem } from '../operation/table.ts';
import { usedChallenge } from '../passkey/table.ts';
import { printingBatch } from '../printing-batch/table.ts';
import { savedView } from '../saved-view/table.ts';
import { session } from '../session/table.ts';
import { shipment, shipmentManifest } from '../shipment/table.ts';
import { gate } from '../site/table.ts';
import { gateTablet, gateTurn, gateWorker } from '../tablet/table.ts';
import { track, trackActivity, trackComment } from '../track/table.ts';
import { authority, identity, passkey, user } from '../user/table.ts';
import { webhook, webhookDelivery } from '../webhook/table.ts';
import { auditLog } from '../writer/audit-table.ts';
import { idempotency, storeRewind } from '../writer/table.ts';

const TABLES: readonly SQLiteTable[] = [
  auditLog,
  storeRewind,
  loadingCorrection,
  idempotency,
  event,
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
  trackActivity,
  customField,
  assetLoading,
  manifest,
  shipment,
  shipmentManifest,
  archiveEntry,
  archiveObject,
  archivedMarker,
  scan,
  alert,
  webhook,
  webhookDelivery,
  operation,
  operationItem,
  deadLetter,
];

/** The tables of an export by name. */
export const EXPORTED_TABLES: ReadonlyMap<string, SQLiteTable> = new Map(
  TABLES.map((table) => [getTableName(table), table]),
);
