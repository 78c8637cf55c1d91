import fc from 'fast-check';
import { lookAtManifest } from './look.ts';
import * as rules from './model/rules-loading.ts';
import { recordScans, type Scan } from './model/rules-scan.ts';
import { isAsset, type Model } from './model/state.ts';
import { gateName, manifestId, manifestName, markerCode, shipmentId, shipmentName, wmsId } from './names.ts';
import type { Real } from './real.ts';
import { Step } from './step.ts';

/**
 * How a step selects records. `nth` is the number among all records, including removed ones, or among the invalid
 * records that are left.
 */
type Named = { by: 'record' | 'invalid'; nth: number } | rules.Target;

/** A uuid that no record has. */
const NEVER = '01890000-0000-7000-8000-000000000000';

const named: fc.Arbitrary<Named> = fc.oneof(
  fc.record({ by: fc.constant('record' as const), nth: fc.nat({ max: 20 }) }),
  fc.record({ by: fc.constant('track' as const), wmsId }),
  fc.record({ by: fc.constant('marker' as const), code: markerCode }),
);

/** Like `named`, but mostly one of the few invalid records. */
const namedInvalid: fc.Arbitrary<Named> = fc.oneof(
  { arbitrary: fc.record({ by: fc.constant('invalid' as const), nth: fc.nat({ max: 20 }) }), weight: 1 },
  { arbitrary: named, weight: 1 },
);

const show = (target: Named) =>
  'nth' in target
    ? `${target.by} ${target.nth}`
    : target.by === 'track'
      ? `track ${target.wmsId}`
      : `marker ${target.by === 'marker' ? target.code : target.uuid}`;

const invalidRecords = (model: Model) =>
  model.records.filter((record) => !isAsset(record) && record.manifest.records.includes(record));

/** Returns the end of the path and the target for the rules. It may first have to read the uuid of the record. */
async function resolve(
  model: Model,
  real: Real,
  target: Named,
): Promise<{ end: string; target: rules.Target }> {
  if (target.by === 'track') return { end: `track/${target.wmsId}`, target };
  if (target.by === 'marker') return { end: `marker/${target.code}`, target };
  const records = target.by === 'invalid' ? invalidRecords(model) : model.records;
  const record = 'nth' in target ? records[target.nth % records.length] : undefined;
  if (record && !record.manifest.deleted) await lookAtManifest(model, real, record.manifest);
  const uuid = record?.uuid.value ?? NEVER;
  return { end: uuid, target: { by: 'record', uuid } };
}

/** A shipment by its name, or a manifest as `manifest M`. */
const holderOf = (model: Model, name: string): rules.Holder => {
  const [kind, manifest] = name.split(' ');
  return kind === 'manifest'
    ? { kind, id: manifestId(model, manifest!) }
    : { kind: 'shipment', id: shipmentId(model, name) };
};

/** The name of an operation. Operations on manifests are counted separately. */
const operation = (name: string, what: string) => `${what}${name.startsWith('manifest ') ? 'Manifest' : ''}`;

export const mark = (name: string, what: Named, marking: rules.Marking, inQuery: boolean) =>
  new Step(
    `${operation(name, 'mark')} ${name} ${show(what)} ${marking.status} ${marking.gateExternalId ?? ''} ${marking.comment ?? ''}`,
    async (model, real) => {
      const holder = holderOf(model, name);
      const { end, target } = await resolve(model, real, what);
      const { gateExternalId, ...rest } = marking;
      const query = inQuery && gateExternalId ? `?gateExternalId=${gateExternalId}` : '';
      return {
        request: {
          method: 'PATCH',
          path: `/${holder.kind}/${holder.id}/asset-loading/${end}/status${query}`,
          json: query === '' ? marking : rest,
        },
        rule: () => rules.mark(model, holder, target, marking),
      };
    },
  );

export const removeInvalid = (name: string, what: Named) =>
  new Step(`${operation(name, 'removeInvalid')} ${name} ${show(what)}`, async (model, real) => {
    const holder = holderOf(model, name);
    const { end, target } = await resolve(model, real, what);
    return {
      request: { method: 'DELETE', path: `/${holder.kind}/${holder.id}/asset-loading/${end}` },
      rule: () => rules.removeInvalid(model, holder, target),
    };
  });

/** A date of a camera. All dates of a run are equal, and the day alone shows it. */
const LOADED_AT = Date.now();
const daysAgo = (days: number): string => new Date(LOADED_AT - days * 86_400_000).toISOString();

const scanned = ({ scanId, markerCode: code, direction, damaged, scanDate, cameraHardwareId }: Scan) =>
  `${scanId}:${code} ${direction}${damaged ? ' damaged' : ''}${scanDate ? ` ${scanDate.slice(0, 10)}` : ''}${cameraHardwareId ? ` ${cameraHardwareId}` : ''}`;

export const scan = (gate: string, one: Scan) =>
  new Step(`scan ${gate} ${scanned(one)}`, (model) => ({
    request: { api: 'device', method: 'POST', path: `/gate/${gate}/scan`, json: one },
    rule: () => recordScans(model, gate, [one], true),
  }));

export const batch = (gate: string, scans: Scan[]) =>
  new Step(`scans ${gate} [${scans.map(scanned).join('; ')}]`, (model) => ({
    request: { api: 'device', method: 'POST', path: `/gate/${gate}/scans`, json: { scans } },
    rule: () => recordScans(model, gate, scans, false),
  }));

const marking: fc.Arbitrary<rules.Marking> = fc.record(
  {
    status: fc.constantFrom('LOADED', 'LOADED', 'LOADED', 'NOT_LOADED', 'UNLOADED', 'UNLOADED', 'OFFLOADED'),
    gateExternalId: fc.oneof(
      { arbitrary: gateName, weight: 5 },
      { arbitrary: fc.constantFrom('', null), weight: 1 },
    ),
    comment: fc.constantFrom('by hand', null),
  },
  { requiredKeys: ['status'] },
);

const oneScan: fc.Arbitrary<Scan> = fc.record(
  {
    // Most scan ids are new. A few are used again, at any gate and with any content.
    scanId: fc.oneof(
      { arbitrary: fc.nat({ max: 1_000_000_000 }).map((number) => `s${number}`), weight: 6 },
      { arbitrary: fc.constantFrom('a', 'b', 'c', 'd'), weight: 1 },
    ),
    markerCode: fc.oneof(
      { arbitrary: fc.constantFrom(1, 1, 2, 2, 3, 3, 4), weight: 3 },
      { arbitrary: markerCode, weight: 1 },
    ),
    direction: fc.constantFrom('LOAD', 'LOAD', 'LOAD', 'UNLOAD', 'OFFLOAD'),
    damaged: fc.oneof(
      { arbitrary: fc.constant(false), weight: 5 },
      { arbitrary: fc.constant(true), weight: 1 },
    ),
    scanDate: fc.constantFrom(
      daysAgo(10),
      daysAgo(20),
      '2025-01-02T03:04:05.678Z',
      '2999-01-01T00:00:00.000Z',
    ),
    cameraHardwareId: fc.constantFrom('C1', 'C2'),
  },
  { requiredKeys: ['scanId', 'markerCode', 'direction'] },
);

const holderName = fc.oneof(
  { arbitrary: shipmentName, weight: 2 },
  { arbitrary: fc.oneof(fc.constant('L'), manifestName).map((name) => `manifest ${name}`), weight: 1 },
);

/** Steps on loading records by hand and by scans, each with its weight. */
export const LOADING_STEPS: [number, fc.Arbitrary<Step>][] = [
  [
    10,
    fc
      .tuple(
        holderName,
        fc.oneof({ arbitrary: named, weight: 4 }, { arbitrary: namedInvalid, weight: 1 }),
        marking,
        fc.boolean(),
      )
      .map(([name, what, said, inQuery]) => mark(name, what, said, inQuery)),
  ],
  [6, fc.tuple(holderName, namedInvalid).map(([name, what]) => removeInvalid(name, what))],
  [2, namedInvalid.map((what) => removeInvalid('manifest L', what))],
  [12, fc.tuple(gateName, oneScan).map(([gate, one]) => scan(gate, one))],
  [
    4,
    fc
      .tuple(gateName, fc.array(oneScan, { minLength: 1, maxLength: 4 }))
      .map(([gate, scans]) => batch(gate, scans)),
  ],
];
