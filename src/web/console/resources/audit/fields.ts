import { SCOPES } from '../../../../access/credential/schema.ts';
import { PASSWORD_POLICY_MODES, PERMISSIONS } from '../../../../access/user/table.ts';
import { WORKER_IDENTIFICATIONS } from '../../../../core/writer/settings-table.ts';
import { ALERT_TYPES } from '../../../../dispatch/alert/table.ts';
import { AGENT_TYPES, SCANNER_TYPES } from '../../../../dispatch/device/table.ts';
import { SIGNER_ROLES } from '../../../../dispatch/load/shared/table.ts';
import { PHOTO_KINDS } from '../../../../dispatch/photo/rules.ts';
import { EVENT_TYPES } from '../../../../log/event/table.ts';
import { log } from '../../../../messages/en/desk/log.ts';
import type { Key } from '../../../../messages/messages.ts';
import type { Words } from '../../../../messages/words.ts';
import { codeAmong } from '../../../ui/parts/codes.ts';
import { authorityIn } from '../../people/authority-words.ts';

/** Fields of the log whose label is a message of another page. */
const LABELS = {
  agentType: 'changed.kind',
  alertType: 'alert.kind',
  alertTypes: 'hook.alerts',
  authority: 'changed.authorityName',
  backorder: 'load.backorder',
  backorderOf: 'load.backorderOf',
  clientFeatureEnabled: 'settings.clients',
  clientId: 'provider.clientId',
  clientSecret: 'provider.clientSecret',
  confirmation: 'hook.confirmation',
  customHeaders: 'hook.custom',
  deliveryUuid: 'sent.one',
  deviceOfflineAfterSeconds: 'settings.offlineSeconds',
  disabledReason: 'changed.reason',
  externalId: 'made.externalId',
  format: 'hook.format',
  gateWorkerIdentification: 'settings.ask',
  gln: 'gates.gln',
  hostname: 'device.host',
  inviteExpiresDate: 'user.linkEnds',
  labelFormat: 'batch.printedAs',
  labelSize: 'settings.labels',
  lastError: 'device.error',
  localManagerUuid: 'gates.manager',
  manifestExternalId: 'changed.manifest',
  markerAllocationMaximum: 'settings.maximum',
  markerCodeStart: 'settings.first',
  params: 'alert.message',
  passwordPolicyMode: 'user.firstPassword',
  plannedDate: 'role.PLANNED_DEPARTURE',
  quietFrom: 'settings.quietFrom',
  quietTo: 'settings.quietTo',
  recordUuid: 'thing.ASSET_LOADING',
  requestsPerMinute: 'settings.requests',
  sandbox: 'settings.sandbox',
  scannerType: 'changed.kind',
  scannerUuid: 'batch.scanner',
  sequenceNumber: 'changed.lastSequenceNumber',
  sequenceNumberFrom: 'hook.from',
  sequenceNumberTo: 'hook.to',
  severity: 'alert.severity',
  sha256: 'audit.hash',
  shipmentCustomFields: 'settings.fields',
  shipmentExternalId: 'changed.shipment',
  trackIdentifier: 'changed.wmsId',
} as const satisfies Record<string, Key>;

const isLabelled = (field: string): field is keyof typeof LABELS => Object.hasOwn(LABELS, field);

type ChangedKey = Extract<Key, `changed.${string}`>;
const isChanged = (key: string): key is ChangedKey => Object.hasOwn(log, key);

/** The label of a field of the log; undefined for an unknown field. */
export function labelIn({ t }: Words, field: string): string | undefined {
  if (isLabelled(field)) return t(LABELS[field]);
  const key = `changed.${field}`;
  return isChanged(key) ? t(key) : undefined;
}

/** Writes a code of the API in the language of the page; undefined for a code that it does not know. */
type Say = (words: Words, code: string) => string | undefined;

/** Writes one of these codes. */
const among =
  <T extends string>(codes: readonly T[], say: (words: Words, code: T) => string): Say =>
  (words, code) => {
    const known = codeAmong(codes, code);
    return known === undefined ? undefined : say(words, known);
  };

const deviceKind = among([...SCANNER_TYPES, ...AGENT_TYPES], ({ t }, kind) => t(`kind.${kind}`));
const alertType = among(ALERT_TYPES, ({ t }, type) => t(`alertType.${type}`));
const scope = among(SCOPES, ({ t }, name) => t(`scope.${name}`));

/** Fields of the log with codes of the API, such as a role. A list contains several. */
const CODES: Readonly<Record<string, Say>> = {
  agentType: deviceKind,
  alertType,
  alertTypes: alertType,
  authority: authorityIn,
  authorityName: authorityIn,
  clientSecret: ({ t }) => t('audit.changedSecret'),
  disabledReason: ({ t }, why) => t('audit.disabledFor', { why }),
  dispatchStrategy: ({ t }, by) => t('settings.by', { by }),
  eventTypes: among(EVENT_TYPES, ({ t }, type) => t(`happened.${type}`)),
  confirmation: ({ t }, state) => t('hook.confirmations', { state }),
  format: ({ t }, format) => t('hook.formats', { format }),
  gateWorkerIdentification: among(WORKER_IDENTIFICATIONS, ({ t }, what) => t('settings.asked', { what })),
  kind: among(PHOTO_KINDS, ({ t }, kind) => t(`photoKind.${kind}`)),
  labelSize: ({ t }, size) => t('settings.labelSize', { size }),
  passwordPolicyMode: among(PASSWORD_POLICY_MODES, ({ t }, mode) => t(`passwordMode.${mode}`)),
  permissions: among(PERMISSIONS, ({ t }, permission) => t(`permission.${permission}`)),
  scannerType: deviceKind,
  scopes: scope,
  signatureRole: among(SIGNER_ROLES, ({ t }, role) => t(`signer.${role}`)),
};

/** A text of a field in words, if the field has codes; otherwise undefined. */
export const codeIn = (words: Words, field: string, value: string): string | undefined =>
  Object.hasOwn(CODES, field) ? CODES[field]!(words, value) : undefined;
