import fc from 'fast-check';
import { lookAtShipment } from './look.ts';
import type { FieldInput } from './model/rules-manifest.ts';
import type { Reference } from './model/rules-members.ts';
import * as rules from './model/rules-shipment.ts';
import { type Model, type Signature, STATUSES } from './model/state.ts';
import {
  gateName,
  isStatus,
  manifestId,
  manifestName,
  newManifestName,
  newShipmentName,
  shipmentId,
  shipmentName,
  shipmentNameOrClosed,
} from './names.ts';
import { anySignature, STROKES } from './signatures.ts';
import { Look, Step } from './step.ts';

/** The body of a step on a shipment, with manifests by name. */
interface Said {
  identifier?: string | null;
  gateIdentifier?: string | null;
  notes?: string | null;
  manifests?: string[] | null;
  customFields?: FieldInput[] | null;
}

const members: fc.Arbitrary<string[]> = fc.oneof(
  { arbitrary: fc.array(manifestName, { minLength: 1, maxLength: 3 }), weight: 4 },
  { arbitrary: fc.uniqueArray(newManifestName, { minLength: 1, maxLength: 3 }), weight: 10 },
  { arbitrary: fc.constant<string[]>([]), weight: 1 },
);
const field: fc.Arbitrary<FieldInput> = fc.oneof(
  {
    arbitrary: fc.record({ fieldKey: fc.constant('lane'), fieldValue: fc.constantFrom('1', 'x', '', null) }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      fieldKey: fc.constant('weight'),
      fieldValue: fc.constantFrom('1', ' 1e3 ', 'x', ' '),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      fieldKey: fc.constant('haulier'),
      fieldValue: fc.constantFrom('Fast', 'Slow', ''),
    }),
    weight: 4,
  },
  { arbitrary: fc.constant({ fieldKey: 'color', fieldValue: 'red' }), weight: 1 },
);
const fields = fc.uniqueArray(field, { maxLength: 2, selector: ({ fieldKey }) => fieldKey });
const notes = fc.constantFrom('careful', 'fragile');

/** Members, or the last planned manifest that can be attached. */
const attachable: fc.Arbitrary<string[]> = fc.oneof(
  { arbitrary: members, weight: 2 },
  { arbitrary: fc.constant<string[]>(['PLANNED']), weight: 1 },
);

/** References to manifests, by uuid for a name with `@`. */
const references = (model: Model, names: string[]): Reference[] =>
  names.map((name) =>
    name.endsWith('@')
      ? { manifestUuid: manifestId(model, name) }
      : { manifestExternalId: isStatus(name) ? manifestId(model, name) : name },
  );

const show = (said: object) => JSON.stringify(said, (_, value) => value ?? undefined).replaceAll('"', '');

const input = (model: Model, { manifests, ...said }: Said): rules.ShipmentInput => ({
  ...said,
  ...(manifests === undefined ? {} : { manifests: manifests && references(model, manifests) }),
});

export const create = (identifier: string, said: Said) =>
  new Step(`createShipment ${identifier} ${show(said)}`, (model) => {
    const json = { identifier, ...input(model, said) };
    return {
      request: { method: 'POST', path: '/shipment', json },
      rule: () => rules.createShipment(model, json),
    };
  });

export const put = (name: string, said: Said) =>
  new Step(`putShipment ${name} ${show(said)}`, (model) => {
    const id = shipmentId(model, name);
    const json = input(model, said);
    return {
      request: { method: 'PUT', path: `/shipment/${id}`, json },
      rule: () => rules.putShipment(model, id, json),
    };
  });

export const membership = (method: 'POST' | 'DELETE', name: string, names: string[]) =>
  new Step(`${method === 'POST' ? 'attach' : 'detach'} ${name} [${names}]`, (model) => {
    const id = shipmentId(model, name);
    const manifests = references(model, names);
    const rule = method === 'POST' ? rules.attachManifests : rules.detachManifests;
    return {
      request: { method, path: `/shipment/${id}/manifest`, json: { manifests } },
      rule: () => rule(model, id, manifests),
    };
  });

export const gate = (name: string, gateIdentifier: string) =>
  new Step(`shipmentGate ${name} ${gateIdentifier}`, (model) => {
    const id = shipmentId(model, name);
    return {
      request: { method: 'POST', path: `/shipment/${id}/gate/${gateIdentifier}` },
      rule: () => rules.assignShipmentGate(model, id, gateIdentifier),
    };
  });

export const status = (name: string, to: string, query: rules.StatusQuery = {}) =>
  new Step(
    `${query.manifests === 'RELEASE' ? 'release' : 'shipmentStatus'} ${name} ${to} ${show(query)}`,
    (model) => {
      const id = shipmentId(model, name);
      const asked = new URLSearchParams({ ...query }).toString();
      return {
        request: { method: 'POST', path: `/shipment/${id}/status/${to}${asked && `?${asked}`}` },
        rule: () => rules.changeShipmentStatus(model, id, to, query),
      };
    },
  );

export const arrive = (name: string, json: rules.ArrivalInput) =>
  new Step(`arrive ${name} ${show(json)}`, (model) => {
    const id = shipmentId(model, name);
    return {
      request: { method: 'POST', path: `/shipment/${id}/arrival`, json },
      rule: () => rules.recordArrival(model, id, json),
    };
  });

export const remove = (name: string) =>
  new Step(`deleteShipment ${name}`, (model) => {
    const id = shipmentId(model, name);
    return {
      request: { method: 'DELETE', path: `/shipment/${id}` },
      rule: () => rules.deleteShipment(model, id),
    };
  });

const putField = (name: string, said: FieldInput) =>
  new Step(`putShipmentField ${name} ${show(said)}`, (model) => {
    const id = shipmentId(model, name);
    return {
      request: { method: 'POST', path: `/shipment/${id}/custom-field`, json: said },
      rule: () => rules.putShipmentField(model, id, said),
    };
  });

const removeField = (name: string, fieldKey: string) =>
  new Step(`removeShipmentField ${name} ${fieldKey}`, (model) => {
    const id = shipmentId(model, name);
    return {
      request: { method: 'DELETE', path: `/shipment/${id}/custom-field/${fieldKey}` },
      rule: () => rules.removeShipmentField(model, id, fieldKey),
    };
  });

const look = (name: string) =>
  new Look(`look at shipment ${name}`, async (model, real) => {
    const found = model.shipment(shipmentId(model, name));
    if (found) await lookAtShipment(model, real, found);
  });

const created: fc.Arbitrary<Said> = fc.record(
  {
    manifests: members,
    gateIdentifier: fc.oneof(gateName, fc.constantFrom('', null)),
    notes: fc.option(notes),
    customFields: fc.option(fields, { freq: 1 }),
  },
  { requiredKeys: ['manifests'] },
);
const replaced: fc.Arbitrary<Said> = fc.record(
  {
    identifier: fc.constantFrom('S', 'S', 'S', 'M', null, null),
    gateIdentifier: fc.oneof(
      { arbitrary: gateName, weight: 3 },
      { arbitrary: fc.constantFrom('', '', null), weight: 2 },
    ),
    notes: fc.option(notes),
    manifests: fc.option(members, { freq: 4 }),
    customFields: fc.option(fields, { freq: 1 }),
  },
  { requiredKeys: [] },
);
const moves = fc.constantFrom(...STATUSES, 'IN_PROGRESS', 'IN_PROGRESS', 'COMPLETED', 'COMPLETED', 'DONE');

/** The parameters of a change of the status: usually none. */
const statusQuery: fc.Arbitrary<rules.StatusQuery> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 8 },
  { arbitrary: fc.constantFrom({ shortReason: 'Next truck' }, { manifests: 'CANCEL' }), weight: 2 },
  { arbitrary: fc.constantFrom({ manifests: 'RELEASE' }, { manifests: 'KEEP' }), weight: 1 },
);

/** Arrivals cannot be long before the shipment was created. */
const LOADED_AT = Date.now();

const arrival: fc.Arbitrary<rules.ArrivalInput> = fc.record(
  {
    arrivalDate: fc.constantFrom(
      new Date(LOADED_AT - 120_000).toISOString(),
      new Date(LOADED_AT - 60_000).toISOString(),
      '2098-01-01T00:00:00.000Z',
      '2099-01-01T00:00:00.000Z',
    ),
    vehicle: fc.constantFrom('1', 'x', ' '),
    driverName: fc.constantFrom('Ann', 'Ben', ''),
  },
  { requiredKeys: [] },
);

const sign = (name: string, signature: Signature) =>
  new Step(`signShipment ${name} ${signature.role} ${signature.name}`, (model) => {
    const id = shipmentId(model, name);
    return {
      request: {
        method: 'POST',
        path: `/shipment/${id}/signature`,
        json: { ...signature, strokes: STROKES },
      },
      rule: () => rules.signShipment(model, id, signature),
    };
  });

/** Steps on shipments, each with its weight. */
export const SHIPMENT_STEPS: [number, fc.Arbitrary<Step | Look>][] = [
  [8, fc.tuple(newShipmentName, created).map(([name, said]) => create(name, said))],
  [4, fc.tuple(shipmentName, replaced).map(([name, said]) => put(name, said))],
  [2, shipmentName.map((name) => put(name, { gateIdentifier: '' }))],
  [4, fc.tuple(shipmentName, attachable).map(([name, names]) => membership('POST', name, names))],
  [3, fc.tuple(shipmentName, members).map(([name, names]) => membership('DELETE', name, names))],
  [3, fc.tuple(shipmentName, gateName).map(([name, at]) => gate(name, at))],
  [4, fc.tuple(shipmentName, moves, statusQuery).map(([name, to, query]) => status(name, to, query))],
  [1, shipmentName.map((name) => status(name, 'CANCELLED', { manifests: 'RELEASE' }))],
  [2, shipmentName.map(remove)],
  [1, fc.tuple(shipmentName, field).map(([name, said]) => putField(name, said))],
  [
    1,
    fc
      .tuple(shipmentName, fc.constantFrom('lane', 'weight', 'haulier'))
      .map(([name, key]) => removeField(name, key)),
  ],
  [1, shipmentName.map(look)],
  [1, fc.tuple(shipmentName, arrival).map(([name, json]) => arrive(name, json))],
  [1, fc.tuple(shipmentName, arrival).map(([name, json]) => arrive(name, json).twice())],
  [2, fc.tuple(shipmentNameOrClosed, anySignature).map(([name, signature]) => sign(name, signature))],
  [1, fc.tuple(shipmentName, anySignature).map(([name, signature]) => sign(name, signature).twice())],
];
