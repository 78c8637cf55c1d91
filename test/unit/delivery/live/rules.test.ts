import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../src/core/writer/chain.ts';
import { topicsOf } from '../../../../src/delivery/live/rules.ts';

const entry = (
  entityType: AuditEntry['entityType'],
  entityExternalId: string | null,
  ...changes: [field: string, oldValue: unknown, newValue: unknown][]
): AuditEntry => ({
  action: 'GATE_UPDATED',
  entityType,
  entityUuid: 'u',
  entityExternalId,
  changes: changes.map(([field, oldValue, newValue]) => ({ field, oldValue, newValue })),
});

const cases: [what: string, entry: AuditEntry, names: string[]][] = [
  [
    'a manifest that moves from gate to gate',
    entry('MANIFEST', 'M', ['gate', 'G1', 'G2']),
    ['manifest:M', 'gate:G1', 'gate:G2', 'waiting'],
  ],
  [
    'a manifest that starts: it waits no more, and its gate has something',
    entry('MANIFEST', 'M', ['manifestStatus', 'TO_DO', 'IN_PROGRESS'], ['gate', 'G1', 'G1']),
    ['manifest:M', 'gate:G1', 'waiting'],
  ],
  [
    'a manifest that is completed: nothing waits more or less',
    entry('MANIFEST', 'M', ['manifestStatus', 'IN_PROGRESS', 'COMPLETED'], ['gate', 'G1', 'G1']),
    ['manifest:M', 'gate:G1'],
  ],
  [
    'a manifest that came and waits for a gate',
    entry('MANIFEST', 'M', ['manifestStatus', null, 'TO_DO'], ['gate', null, null]),
    ['manifest:M', 'waiting'],
  ],
  ['a manifest that is planned', entry('MANIFEST', 'M', ['manifestStatus', null, 'PLANNED']), ['manifest:M']],
  ['a manifest that is deleted', entry('MANIFEST', 'M', ['deleted', false, true]), ['manifest:M', 'waiting']],
  [
    'a shipment that is cancelled before it began',
    entry('SHIPMENT', 'S', ['status', 'TO_DO', 'CANCELLED']),
    ['shipment:S', 'waiting'],
  ],
  [
    'a pallet that was loaded',
    entry(
      'ASSET_LOADING',
      'P',
      ['loadingStatus', 'NOT_LOADED', 'LOADED'],
      ['gate', null, 'G1'],
      ['manifest', null, 'M'],
    ),
    ['gate:G1', 'manifest:M'],
  ],
  ['scans at a gate', entry('GATE', 'G1', ['scans', null, []]), ['gate:G1']],
  ['an alert', entry('ALERT', null, ['gate', null, 'G1']), ['alert:u', 'gate:G1']],
  [
    'an alert about a shipment without a gate',
    entry('ALERT', null, ['gate', null, null], ['shipmentExternalId', null, 'S']),
    ['alert:u', 'shipment:S'],
  ],
  ['an alert that is resolved', entry('ALERT', null, ['status', 'OPEN', 'RESOLVED']), ['alert:u']],
  ['a worker of tablets with a list of badges', entry('GATE_WORKER', 'Ana'), ['workers']],
  ['a track', entry('TRACK', 'P', ['trackStatus', 'ACTIVE', 'FLAGGED']), ['track:P']],
  ['data that no gate shows', entry('WEBHOOK', 'W', ['gate', null, 'G1']), []],
];

describe('the topics that audit entries concern', () => {
  it.each(cases)('the topics of audit entries match: %s', (_, audited, names) => {
    expect(topicsOf([audited])).toEqual(names);
  });

  it('the topics of a commit contain each resource once', () => {
    const scanned = (wmsId: string) =>
      entry('ASSET_LOADING', wmsId, ['gate', null, 'G1'], ['manifest', null, 'M']);
    expect(topicsOf(['A', 'B', 'C'].map(scanned))).toEqual(['gate:G1', 'manifest:M']);
  });
});
