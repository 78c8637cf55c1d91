import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderGuide } from '../../../../src/cli/guides.ts';
import {
  MANIFEST_TRANSITIONS,
  SHIPMENT_TRANSITIONS,
} from '../../../../src/dispatch/load/shared/status-rules.ts';
import { ASSET_STATUSES, INVALID_STATUSES } from '../../../../src/dispatch/load/shared/table.ts';
import { type HeldRecord, UNKNOWN_MARKER } from '../../../../src/dispatch/loading/gate-view-rules.ts';
import { decideScans } from '../../../../src/dispatch/loading/scan-rules.ts';
import { SETTABLE_STATUSES } from '../../../../src/dispatch/loading/schema.ts';
import { DIRECTIONS } from '../../../../src/dispatch/loading/table.ts';
import { TRACK_STATUSES } from '../../../../src/dispatch/track/rules.ts';

const guide = readFileSync(
  resolve(import.meta.dirname, '../../../../src/web/docs/guides/concepts.md'),
  'utf8',
);

type Changes = Record<string, readonly string[]>;

/** The statuses of a section's table, each with the statuses that may follow it. */
function tableOf(section: string): Changes {
  const text = guide.split(/^## /m).find((each) => each.startsWith(`${section}\n`))!;
  return Object.fromEntries(
    [...text.matchAll(/^\| ([A-Z_]+) \| .* \| (.*) \|$/gm)].map(([, status, next]) => [
      status!,
      next === 'none' ? [] : next!.split(', '),
    ]),
  );
}

/** Changes without an order, and without statuses that have none. */
const sorted = (changes: Changes) =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([, next]) => next.length > 0)
      .map(([from, next]) => [from, next.toSorted()]),
  );

/** The statuses that a scan in any direction can give an asset of a manifest in progress or completed. */
function scannedFrom(status: string, manifestStatus: HeldRecord['manifestStatus']): string[] {
  const of = { manifestUuid: 'm', manifestExternalId: 'M', shipmentExternalId: null, loadUuid: 'm' };
  const record: HeldRecord = {
    ...of,
    recordUuid: 'r',
    wmsId: 'A',
    trackUuid: 't',
    loadingStatus: status,
    gateUuid: null,
    gateExternalId: null,
    manifestStatus,
  };
  const pallet = {
    markerCode: 1,
    trackUuid: 't',
    wmsId: 'A',
    retirement: 'NONE',
    flagged: 0,
    damaged: 0,
  } as const;
  return DIRECTIONS.flatMap((direction) => {
    const view = {
      gate: { uuid: 'g', externalIdentifier: 'G', name: 'Gate', deepLink: '' },
      active: of,
      idleAlert: undefined,
      earlier: new Map(),
      usedIds: new Set<string>(),
      markers: new Map([['marker 1', { ...UNKNOWN_MARKER, pallet, records: [record] }]]),
    };
    const scan = {
      scanId: 's',
      markerCode: 1,
      identifier: null,
      wmsId: null,
      direction,
      damaged: false,
      scanDate: 1,
    };
    const { decisions } = decideScans(view, [{ ...scan, cameraHardwareId: null, camera: 'c' }], () => 'new');
    return decisions.flatMap(({ changed }) => changed.map(({ to }) => to));
  });
}

describe('the guide to concepts', () => {
  it('the guide to concepts has the changes of status that the rules of manifests and shipments allow', () => {
    expect(tableOf('States of a manifest')).toEqual(MANIFEST_TRANSITIONS);
    expect(tableOf('States of a shipment')).toEqual(SHIPMENT_TRANSITIONS);
  });

  it('the guide to concepts has every status of tracks and loading records', () => {
    expect(Object.keys(tableOf('States of a track')).toSorted()).toEqual(TRACK_STATUSES.toSorted());
    const statuses = [...ASSET_STATUSES, ...INVALID_STATUSES];
    expect(Object.keys(tableOf('States of a loading record')).toSorted()).toEqual(statuses.toSorted());
  });

  it('the guide to concepts has the changes of loading records that the rules of scans make', () => {
    const made = ASSET_STATUSES.map((status) => {
      // Only a completed load has OFFLOADED pallets.
      const states =
        status === 'OFFLOADED' ? (['COMPLETED'] as const) : (['IN_PROGRESS', 'COMPLETED'] as const);
      return [status, [...new Set(states.flatMap((state) => scannedFrom(status, state)))]] as const;
    });
    expect(sorted(tableOf('States of a loading record'))).toEqual(sorted(Object.fromEntries(made)));
  });

  it('the guide to concepts names the statuses that a person can set', () => {
    expect(SETTABLE_STATUSES.toSorted()).toEqual(['LOADED', 'NOT_LOADED', 'UNLOADED']);
    expect(guide).toContain('can correct each of these states to NOT_LOADED, LOADED or UNLOADED');
  });

  it.each(['manifest', 'shipment', 'track', 'loading record'])(
    'the guide to concepts has a picture of the states of a %s, with the statuses that its table connects',
    (kind) => {
      const svg = renderGuide(guide, 'concepts')
        .split('<svg ')
        .find((each) => each.includes(`aria-label="States of a ${kind}`))!;
      const drawn = [...svg.matchAll(/<text[^>]*>([A-Z_]+)</g)].map(([, status]) => status!);
      const table = tableOf(`States of a ${kind}`);
      const connected = [...Object.entries(sorted(table)).flat(2)];
      expect(drawn.toSorted()).toEqual([...new Set(connected)].toSorted());
      expect(svg).not.toContain('<style');
    },
  );
});
