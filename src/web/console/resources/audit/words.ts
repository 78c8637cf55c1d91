import { SCOPES } from '../../../../access/credential/schema.ts';
import { PASSWORD_POLICY_MODES, PERMISSIONS } from '../../../../access/user/table.ts';
import type { FieldChange } from '../../../../core/lib/changes.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../../../../core/writer/audit-actions.ts';
import type { ACTOR_TYPES, ENTITY_TYPES } from '../../../../core/writer/audit-table.ts';
import type { StoredAuditRecord } from '../../../../core/writer/audit-view.ts';
import { longChanges } from '../../../../core/writer/chain.ts';
import type { OrganizationSettings } from '../../../../core/writer/settings.ts';
import { WORKER_IDENTIFICATIONS } from '../../../../core/writer/settings-table.ts';
import { type AlertFacts, isAlert } from '../../../../dispatch/alert/rules.ts';
import { ALERT_TYPES } from '../../../../dispatch/alert/table.ts';
import { AGENT_TYPES, SCANNER_TYPES } from '../../../../dispatch/device/table.ts';
import { SIGNER_ROLES } from '../../../../dispatch/load/shared/table.ts';
import { SCAN_OUTCOMES } from '../../../../dispatch/loading/table.ts';
import { PHOTO_KINDS } from '../../../../dispatch/photo/rules.ts';
import { EVENT_TYPES } from '../../../../log/event/table.ts';
import { log } from '../../../../messages/en/desk/log.ts';
import type { Key } from '../../../../messages/messages.ts';
import type { Words } from '../../../../messages/words.ts';
import { codeAmong } from '../../../ui/parts/codes.ts';
import { statusIn } from '../../../ui/parts/components.tsx';
import { outcomeIn } from '../../board/outcome-words.ts';
import { authorityIn } from '../../people/authority-words.ts';
import { messageIn } from '../alert/alerts.tsx';
import { shownBatch } from '../printing-batch/words.ts';
import type { NamedRecord } from './named-store.ts';

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
const codeIn = (words: Words, field: string, value: string): string | undefined =>
  Object.hasOwn(CODES, field) ? CODES[field]!(words, value) : undefined;

/** Fields that may be part of the sentence. It uses the first field that has changed. */
const FIELDS_BY_RANK = ['status', 'manifestStatus', 'loadingStatus', 'trackStatus', 'gate', 'databaseName'];
/** The maximum number of items of a list that are named. */
const NAMED_MAXIMUM = 5;

/** The settings of the site that texts about records need. */
export type Site = Pick<OrganizationSettings, 'timeZone' | 'shipmentCustomFields'>;

/** A record, with the names of its gate, tablet and pallets if they were read. */
type Told = StoredAuditRecord & Partial<Pick<NamedRecord, 'gateName' | 'tabletName' | 'pallets'>>;

const isAction = (action: string): action is AuditAction =>
  (AUDIT_ACTIONS as readonly string[]).includes(action);

/** A field name such as `firstName` in words, if it has no translation. */
const spaced = (words: Words, name: string): string => statusIn(words, name.replace(/([A-Z])/g, '_$1'));

/** Matches the field of a custom field. Its key follows. */
const CUSTOM_FIELD = /^customFields\./;

const customField = ({ shipmentCustomFields }: Site, field: string) =>
  shipmentCustomFields.find(({ fieldKey }) => fieldKey === field.replace(CUSTOM_FIELD, ''));

/** The label of a field. A custom field with a role has the label of the role, others have their key. */
export function fieldIn(words: Words, site: Site, field: string): string {
  if (CUSTOM_FIELD.test(field)) {
    const role = customField(site, field)?.role;
    return role ? words.t(`role.${role}`) : field.replace(CUSTOM_FIELD, '');
  }
  const name = field.replace(/\.(added|removed)$/, '').replace(/^(savedViews) .*$/, '$1');
  return labelIn(words, name) ?? (/^[A-Za-z]+$/.test(field) ? spaced(words, field) : field);
}

const nameOf = (value: object): string | undefined => {
  const named = value as { externalIdentifier?: unknown; name?: unknown };
  const name = named.name ?? named.externalIdentifier;
  return typeof name === 'string' ? name : undefined;
};

/** A value of a change in words, cut off after `maximum` characters. */
export function valueIn(words: Words, site: Site, field: string, value: unknown, maximum: number): string {
  const text = textIn(words, site, field, value);
  return text.length > maximum ? `${text.slice(0, maximum).toWellFormed()}…` : text;
}

/** Lists that select everything if they are empty. */
const ALL_IF_EMPTY = ['eventTypes', 'alertTypes'];

/** Matches a date of the log, and a date in a custom field. */
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DEFINITE = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

function textIn(words: Words, site: Site, field: string, value: unknown): string {
  const { t, list, time, number } = words;
  const zone = site.timeZone;
  if (value === null || value === undefined || value === '') return t('audit.nothing');
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  if (typeof value === 'number') {
    if (/Date$/.test(field)) return time(zone, value);
    return /Code|sequenceNumber/i.test(field) ? String(value) : number(value);
  }
  if (typeof value === 'string') {
    const isDate = CUSTOM_FIELD.test(field) && customField(site, field)?.fieldType === 'DATE_TIME';
    if ((isDate ? DEFINITE : INSTANT).test(value)) return time(zone, Date.parse(value));
    return (
      codeIn(words, field, value) ??
      (/[sS]tatus$|severity|operationType/.test(field) ? statusIn(words, value) : value)
    );
  }
  if (Array.isArray(value)) {
    const plain = value.every((item) => typeof item === 'string' || typeof item === 'number');
    if (!plain || value.length > NAMED_MAXIMUM) return t('audit.items', { count: value.length });
    return value.length === 0
      ? t(ALL_IF_EMPTY.includes(field) ? 'audit.all' : 'audit.nothing')
      : list(value.map((item) => codeIn(words, field, String(item)) ?? String(item)));
  }
  const { count } = value as { count?: unknown };
  if (typeof count === 'number') return t('audit.items', { count });
  return nameOf(value as object) ?? JSON.stringify(value);
}

/** A change in words: `Name: from Gate 3 to Gate 03`. */
export function changeIn(words: Words, site: Site, change: FieldChange, maximum: number): string {
  const { field, oldValue = null } = change;
  const newValue = change.newValue ?? (ALL_IF_EMPTY.includes(field) ? [] : null);
  const said = (value: unknown) => valueIn(words, site, field, value, maximum);
  const called = fieldIn(words, site, field);
  const [before, after] = [said(oldValue), said(newValue)];
  if (field.endsWith('.added')) return words.t('change.with', { field: called, items: after });
  if (field.endsWith('.removed')) return words.t('change.without', { field: called, items: before });
  if (oldValue === null) return words.t('change.to', { field: called, after });
  if (newValue === null) return words.t('change.gone', { field: called, before });
  return words.t('change.from', { field: called, before, after });
}

/** The fields that the sentence about loading already has. */
const SAID = ['scans', 'loadingStatus', 'gate', 'markerCode'];

/** The changes of a record, with the status of a printing batch and the text of an alert as their pages show them. */
export function changesOf(words: Words, site: Site, { entityType, changes, gateName }: Told): FieldChange[] {
  const all = longChanges(changes);
  if (entityType === 'ALERT') return withMessage(words, site, all, gateName);
  if (entityType !== 'PRINTING_BATCH') return all;
  const shown = (value: unknown) => (typeof value === 'string' ? shownBatch(value) : value);
  return all.map((change) =>
    change.field === 'status'
      ? { ...change, oldValue: shown(change.oldValue), newValue: shown(change.newValue) }
      : change,
  );
}

/** The changes of an alert with its message in the language of the page instead of its facts. */
function withMessage(
  words: Words,
  { timeZone }: Site,
  all: FieldChange[],
  gateName: string | null | undefined,
): FieldChange[] {
  const facts = Object.fromEntries(all.map(({ field, newValue }) => [field, newValue]));
  const { alertType, params, gate, ...others } = facts;
  // Imported records may have other facts.
  if (!isAlert(alertType, params)) return all;
  const newValue = messageIn(words, timeZone, {
    ...NO_FACTS,
    ...others,
    alertType,
    params: params as AlertFacts['params'],
    gate: gate === undefined ? null : { name: gateName ?? String(gate) },
  });
  return all.map((change) => (change.field === 'params' ? { ...change, newValue } : change));
}

const NO_FACTS = {
  trackIdentifier: null,
  markerCode: null,
  manifestExternalId: null,
  shipmentExternalId: null,
  count: 1,
  stillAboard: null,
};

/** The changes of a record that its sentence leaves out. */
export const unsaidChanges = (words: Words, site: Site, record: Told): FieldChange[] => {
  const { action, entityType } = record;
  return changesOf(words, site, record).filter(
    ({ field }) => (entityType !== 'ASSET_LOADING' && action !== 'SCANS_RECORDED') || !SAID.includes(field),
  );
};

/** The name of an actor. The service and its first operator have no name of their own, only a kind. */
export const actorNameIn = (
  words: Words,
  { actorType, uuid, displayName }: StoredAuditRecord['actor'],
): string =>
  uuid === null && (actorType === 'SYSTEM' || actorType === 'OPERATOR')
    ? actorIn(words, actorType)
    : displayName;

/** The name of the actor. At a tablet, it is the name of the worker, if the log has it. */
function actorOf(words: Words, { actor, tabletName }: Told): string {
  const { actorType, displayName } = actor;
  const prefix = `${tabletName ?? ''}, `;
  return actorType === 'TABLET' && tabletName && displayName.startsWith(prefix)
    ? displayName.slice(prefix.length)
    : actorNameIn(words, actor);
}

/** The name of the entity. A pallet without WMS id is named by its marker, and a gate by its name. */
function entityOf(
  { t }: Words,
  { entityType, entityExternalId, gateName }: Told,
  all: FieldChange[],
): string {
  if (entityType === 'GATE' && gateName) return gateName;
  const marker = all.find(({ field }) => field === 'markerCode');
  const code = marker?.newValue ?? marker?.oldValue;
  const isCode = typeof code === 'number' || typeof code === 'string';
  return entityExternalId ?? (isCode ? t('gate.marker', { code: String(code) }) : t('audit.unnamed'));
}

/** The pallets of recorded scans, each with its result: `395212345678901004 (Loaded)`. */
function scannedIn(words: Words, { pallets }: Told, all: FieldChange[]): string {
  const value = all.find(({ field }) => field === 'scans')?.newValue;
  if (!Array.isArray(value)) return words.t('audit.scans', { count: 0 });
  const scans = value as { markerCode?: unknown; outcome?: unknown }[];
  const named = scans.slice(0, NAMED_MAXIMUM).map(({ markerCode, outcome }) => {
    const code = String(markerCode);
    const known = SCAN_OUTCOMES.find((name) => name === outcome);
    return words.t('audit.scanned', {
      pallet: pallets?.[code] ?? words.t('gate.marker', { code }),
      outcome: known === undefined ? String(outcome) : outcomeIn(words, known),
    });
  });
  const more = scans.length - named.length;
  return words.list(more > 0 ? [...named, words.t('audit.scans', { count: more })] : named);
}

/** A record as a sentence. It is also readable for an action that no longer exists. */
export function sentenceIn(words: Words, site: Site, record: Told, maximum: number): string {
  const { action, gateName } = record;
  if (!isAction(action)) return statusIn(words, action);
  const all = changesOf(words, site, record);
  const shownChange =
    FIELDS_BY_RANK.map((field) => all.find((change) => change.field === field)).find((change) => change) ??
    all[0];
  const { field = '', oldValue = null, newValue = null } = shownChange ?? {};
  const after = valueIn(words, site, field, newValue, maximum);
  return words.t(`did.${action}`, {
    who: actorOf(words, record),
    thing: entityOf(words, record, all),
    before: valueIn(words, site, field, oldValue, maximum),
    after: field === 'gate' && newValue !== null && gateName ? gateName : after,
    gone: newValue === null ? 'yes' : 'no',
    result: String(newValue),
    hasGate: gateName ? 'yes' : 'no',
    gate: gateName ?? '',
    scanned: action === 'SCANS_RECORDED' ? scannedIn(words, record, all) : '',
  });
}

/** The verb of an action, without its actor: `coupled pallet … to a marker`. */
export function actionIn(words: Words, action: AuditAction): string {
  const names = { who: '…', thing: '…', before: '…', after: '…', gate: '…', scanned: '…' };
  const unsaid = { ...names, gone: 'no', result: 'other', hasGate: 'no' };
  return words.t(`did.${action}`, unsaid).replace(/^(?:…[\s:,]*)+/, '');
}

export const thingIn = ({ t }: Words, type: (typeof ENTITY_TYPES)[number]): string => t(`thing.${type}`);

export const actorIn = ({ t }: Words, type: (typeof ACTOR_TYPES)[number]): string => t(`actorType.${type}`);
