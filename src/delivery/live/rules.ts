import type { AuditEntry } from '../../core/writer/chain.ts';

/** The topic of lists of shipments and manifests that wait to be loaded. */
export const WAITING = 'waiting';
/** The topic of the list of workers, for tablets that recognize badges. */
export const WORKERS = 'workers';

/** The kinds of topics. Gates, manifests and shipments are named by their external identifiers. */
type TopicKind = 'gate' | 'manifest' | 'shipment' | 'alert' | 'track';

/** A topic: `gate:G1`, `alert:0190…`. */
export const topicOf = (kind: TopicKind, identifier: string): string => `${kind}:${identifier}`;

/** The statuses of shipments and manifests that wait to be loaded. */
const WAITS: readonly unknown[] = ['TO_DO'];

/**
 * The topics of audit entries. These are the changed resources, gates with a new or removed load, the manifest of a
 * loading record, the list of workers, and the lists of waiting shipments and manifests. New alerts and photos also concern their subjects.
 */
export function topicsOf(entries: readonly AuditEntry[]): string[] {
  const topics = new Set<string>();
  const add = (kind: TopicKind, identifier: unknown): void => {
    if (typeof identifier === 'string') topics.add(topicOf(kind, identifier));
  };
  for (const { entityType, entityUuid, entityExternalId, changes } of entries) {
    if (entityType === 'ALERT') add('alert', entityUuid);
    if (entityType === 'GATE_WORKER') topics.add(WORKERS);
    if (entityType === 'TRACK') add('track', entityExternalId);
    if (entityType === 'GATE') add('gate', entityExternalId);
    if (entityType === 'SHIPMENT') add('shipment', entityExternalId);
    if (entityType === 'MANIFEST') add('manifest', entityExternalId);
    if (entityType === 'PHOTO' || entityType === 'ALERT') {
      for (const { field, oldValue, newValue } of changes) {
        const kind = ABOUT[field];
        if (kind) add(kind, newValue ?? oldValue);
      }
    }
    if (!LOADED_AT_GATES.has(entityType)) continue;
    for (const { field, oldValue, newValue } of changes) {
      if (field !== 'gate' && field !== 'manifest') continue;
      add(field, oldValue);
      add(field, newValue);
    }
    if (mayWait(entityType, changes)) topics.add(WAITING);
  }
  return [...topics];
}

/** The kinds of things that photos and alerts are about, by the field of their audit records. */
const ABOUT: Readonly<Record<string, TopicKind>> = {
  trackIdentifier: 'track',
  manifestExternalId: 'manifest',
  shipmentExternalId: 'shipment',
};

const LOADED_AT_GATES = new Set(['MANIFEST', 'SHIPMENT', 'ASSET_LOADING', 'ALERT', 'GATE_TABLET']);

/** Whether something starts or stops waiting, or waits at another gate. */
function mayWait(entityType: string, changes: AuditEntry['changes']): boolean {
  if (entityType !== 'MANIFEST' && entityType !== 'SHIPMENT') return false;
  return changes.some(
    ({ field, oldValue, newValue }) =>
      (/^(manifestStatus|status)$/.test(field) && (WAITS.includes(oldValue) || WAITS.includes(newValue))) ||
      (field === 'gate' && oldValue !== newValue) ||
      field === 'deleted',
  );
}
