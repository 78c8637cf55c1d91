import type { AuditEntry } from '../writer/chain.ts';

/** The topic of lists of what waits to be loaded. */
export const WAITING = 'waiting';

/** What a topic is of; gates, manifests and shipments by what people call them. */
export type TopicKind = 'gate' | 'manifest' | 'shipment' | 'alert' | 'track';

/** A topic: `gate:G1`, `alert:0190…`. */
export const topicOf = (kind: TopicKind, identifier: string): string => `${kind}:${identifier}`;

/** Statuses in which something waits to be loaded. */
const WAITS: readonly unknown[] = ['TO_DO'];

/**
 * The topics that audit entries concern: what they are about, the gates something came to or went from, the manifest of
 * a loading record, and the lists of what waits.
 */
export function topicsOf(entries: readonly AuditEntry[]): string[] {
  const topics = new Set<string>();
  const add = (kind: TopicKind, identifier: unknown): void => {
    if (typeof identifier === 'string') topics.add(topicOf(kind, identifier));
  };
  for (const { entityType, entityUuid, entityExternalId, changes } of entries) {
    if (entityType === 'ALERT') add('alert', entityUuid);
    if (entityType === 'TRACK') add('track', entityExternalId);
    if (entityType === 'GATE') add('gate', entityExternalId);
    if (entityType === 'SHIPMENT') add('shipment', entityExternalId);
    if (entityType === 'MANIFEST') add('manifest', entityExternalId);
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

const LOADED_AT_GATES = new Set(['MANIFEST', 'SHIPMENT', 'ASSET_LOADING', 'ALERT', 'GATE_TABLET']);

/** Whether something came to wait, waits no more, or waits at another gate. */
function mayWait(entityType: string, changes: AuditEntry['changes']): boolean {
  if (entityType !== 'MANIFEST' && entityType !== 'SHIPMENT') return false;
  return changes.some(
    ({ field, oldValue, newValue }) =>
      (/^(manifestStatus|status)$/.test(field) && (WAITS.includes(oldValue) || WAITS.includes(newValue))) ||
      (field === 'gate' && oldValue !== newValue) ||
      field === 'deleted',
  );
}
