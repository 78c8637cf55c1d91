import type { FieldChange } from '../../../../core/lib/changes.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../../../../core/writer/audit-actions.ts';
import type { ACTOR_TYPES, ENTITY_TYPES } from '../../../../core/writer/audit-table.ts';
import type { StoredAuditRecord } from '../../../../core/writer/audit-view.ts';
import { longChanges } from '../../../../core/writer/chain.ts';
import { log } from '../../../../messages/en/desk/log.ts';
import type { Key } from '../../../../messages/messages.ts';
import type { Words } from '../../../../messages/words.ts';
import { statusIn } from '../../kit/components.tsx';

/** Fields that may be part of the sentence. It uses the first field that has changed. */
const FIELDS_BY_RANK = ['status', 'manifestStatus', 'loadingStatus', 'trackStatus', 'gate', 'databaseName'];
/** The maximum number of items of a list that are named. */
const NAMED_MAXIMUM = 5;

const isAction = (action: string): action is AuditAction =>
  (AUDIT_ACTIONS as readonly string[]).includes(action);

type ChangedKey = Extract<Key, `changed.${string}`>;
const isChanged = (key: string): key is ChangedKey => Object.hasOwn(log, key);

/** A field name such as `firstName` in words, if it has no translation. */
const spaced = (words: Words, name: string): string => statusIn(words, name.replace(/([A-Z])/g, '_$1'));

export function fieldIn(words: Words, field: string): string {
  const key = `changed.${field.replace(/\.(added|removed)$/, '')}`;
  if (isChanged(key)) return words.t(key);
  // Keys of custom fields and names of lists belong to the organization. They are not translated.
  return /^[A-Za-z]+$/.test(field) ? spaced(words, field) : field;
}

const nameOf = (value: object): string | undefined => {
  const named = value as { externalIdentifier?: unknown; name?: unknown };
  const name = named.name ?? named.externalIdentifier;
  return typeof name === 'string' ? name : undefined;
};

/** A value of a change in words, cut off after `maximum` characters. */
export function valueIn(words: Words, zone: string, field: string, value: unknown, maximum: number): string {
  const text = textIn(words, zone, field, value);
  return text.length > maximum ? `${text.slice(0, maximum).toWellFormed()}…` : text;
}

function textIn(words: Words, zone: string, field: string, value: unknown): string {
  const { t, list, time, number } = words;
  if (value === null || value === undefined || value === '') return t('audit.nothing');
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  if (typeof value === 'number') {
    if (/Date$/.test(field)) return time(zone, value);
    return /Code|sequenceNumber/i.test(field) ? String(value) : number(value);
  }
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return time(zone, Date.parse(value));
    return /[sS]tatus$|Strategy$|operationType/.test(field) ? statusIn(words, value) : value;
  }
  if (Array.isArray(value)) {
    const plain = value.every((item) => typeof item === 'string' || typeof item === 'number');
    if (!plain || value.length > NAMED_MAXIMUM) return t('audit.items', { count: value.length });
    return value.length === 0 ? t('audit.nothing') : list(value.map(String));
  }
  return nameOf(value as object) ?? JSON.stringify(value);
}

/** A change in words: `Name: from Gate 3 to Gate 03`. */
export function changeIn(words: Words, zone: string, change: FieldChange, maximum: number): string {
  const { field, oldValue = null, newValue = null } = change;
  const said = (value: unknown) => valueIn(words, zone, field, value, maximum);
  const called = fieldIn(words, field);
  const [before, after] = [said(oldValue), said(newValue)];
  if (field.endsWith('.added')) return words.t('change.with', { field: called, items: after });
  if (field.endsWith('.removed')) return words.t('change.without', { field: called, items: before });
  if (oldValue === null) return words.t('change.to', { field: called, after });
  if (newValue === null) return words.t('change.gone', { field: called, before });
  return words.t('change.from', { field: called, before, after });
}

/** A record as a sentence. It is also readable for an action that no longer exists. */
export function sentenceIn(words: Words, zone: string, record: StoredAuditRecord, maximum: number): string {
  const { action, actor, entityExternalId, changes } = record;
  if (!isAction(action)) return statusIn(words, action);
  const all = longChanges(changes);
  const shownChange =
    FIELDS_BY_RANK.map((field) => all.find((change) => change.field === field)).find((change) => change) ??
    all[0];
  const { field = '', oldValue = null, newValue = null } = shownChange ?? {};
  return words.t(`did.${action}`, {
    who: actor.displayName,
    thing: entityExternalId ?? words.t('audit.unnamed'),
    before: valueIn(words, zone, field, oldValue, maximum),
    after: valueIn(words, zone, field, newValue, maximum),
    gone: newValue === null ? 'yes' : 'no',
  });
}

/** The verb of an action, without its actor: `coupled pallet … to a marker`. */
export function actionIn(words: Words, action: AuditAction): string {
  const unsaid = { who: '…', thing: '…', before: '…', after: '…', gone: 'no' };
  return words.t(`did.${action}`, unsaid).replace(/^…\s*/, '');
}

export const thingIn = ({ t }: Words, type: (typeof ENTITY_TYPES)[number]): string => t(`thing.${type}`);

export const actorIn = ({ t }: Words, type: (typeof ACTOR_TYPES)[number]): string => t(`actorType.${type}`);
