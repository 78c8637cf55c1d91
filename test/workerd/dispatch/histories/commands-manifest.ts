import fc from 'fast-check';
import { lookAtManifest } from './look.ts';
import * as rules from './model/rules-manifest.ts';
import { type Signature, STATUSES } from './model/state.ts';
import { gateName, manifestId, manifestName, manifestNameOrClosed, newManifestName, wmsId } from './names.ts';
import { anySignature, STROKES } from './signatures.ts';
import { Look, Step } from './step.ts';

type Fields = { fieldKey: string; fieldValue: string }[];

const assets = fc.uniqueArray(wmsId, { maxLength: 3 });
const fields: fc.Arbitrary<Fields> = fc.uniqueArray(
  fc.record({ fieldKey: fc.constantFrom('a', 'b'), fieldValue: fc.constantFrom('1', '2', ' ') }),
  { maxLength: 2, selector: ({ fieldKey }) => fieldKey },
);

const show = (list: Fields) => `{${list.map(({ fieldKey, fieldValue }) => `${fieldKey}=${fieldValue}`)}}`;

export const create = (
  externalIdentifier: string,
  list: string[],
  manifestStatus: 'PLANNED' | 'TO_DO' = 'PLANNED',
  gateExternalId?: string,
) =>
  new Step(
    `createManifest ${externalIdentifier} ${manifestStatus} [${list}] ${gateExternalId ?? ''}`,
    (model) => {
      const json = { externalIdentifier, manifestStatus, gateExternalId, assets: list };
      return {
        request: { method: 'POST', path: '/manifest', json },
        rule: () => rules.createManifest(model, json as Parameters<typeof rules.createManifest>[1]),
      };
    },
  );

export const put = (name: string, list: string[] | null, customFields: Fields | null) =>
  new Step(`putManifest ${name} [${list}] ${customFields ? show(customFields) : ''}`, (model) => {
    const id = manifestId(model, name);
    const json = { assets: list, customFields };
    return {
      request: { method: 'PUT', path: `/manifest/${id}`, json },
      rule: () => rules.putManifest(model, id, json),
    };
  });

export const remove = (name: string) =>
  new Step(`deleteManifest ${name}`, (model) => {
    const id = manifestId(model, name);
    return {
      request: { method: 'DELETE', path: `/manifest/${id}` },
      rule: () => rules.deleteManifest(model, id),
    };
  });

export const status = (name: string, to: string) =>
  new Step(`manifestStatus ${name} ${to}`, (model) => {
    const id = manifestId(model, name);
    return {
      request: { method: 'POST', path: `/manifest/${id}/status/${to}` },
      rule: () => rules.changeManifestStatus(model, id, to),
    };
  });

export const gate = (name: string, gateIdentifier: string) =>
  new Step(`manifestGate ${name} ${gateIdentifier}`, (model) => {
    const id = manifestId(model, name);
    return {
      request: { method: 'POST', path: `/manifest/${id}/gate/${gateIdentifier}` },
      rule: () => rules.assignGate(model, id, gateIdentifier),
    };
  });

export const backorder = (name: string, externalIdentifier: string) =>
  new Step(`backorder ${name} ${externalIdentifier}`, (model) => {
    const id = manifestId(model, name);
    return {
      request: { method: 'POST', path: `/manifest/${id}/backorder`, json: { externalIdentifier } },
      rule: () => rules.createBackorder(model, id, externalIdentifier),
    };
  });

const sign = (name: string, signature: Signature) =>
  new Step(`signManifest ${name} ${signature.role} ${signature.name}`, (model) => {
    const id = manifestId(model, name);
    return {
      request: {
        method: 'POST',
        path: `/manifest/${id}/signature`,
        json: { ...signature, strokes: STROKES },
      },
      rule: () => rules.signManifest(model, id, signature),
    };
  });

export const record = (method: 'POST' | 'DELETE', name: string, wms: string) =>
  new Step(`${method === 'POST' ? 'attachTrack' : 'detachTrack'} ${name} ${wms}`, (model) => {
    const id = manifestId(model, name);
    const rule = method === 'POST' ? rules.attachTrack : rules.detachTrack;
    return {
      request: { method, path: `/manifest/${id}/track-record/${wms}` },
      rule: () => rule(model, id, wms),
    };
  });

const putField = (name: string, field: Fields[number]) =>
  new Step(`putManifestField ${name} ${show([field])}`, (model) => {
    const id = manifestId(model, name);
    return {
      request: { method: 'POST', path: `/manifest/${id}/custom-field`, json: field },
      rule: () => rules.putManifestField(model, id, field),
    };
  });

const look = (name: string) =>
  new Look(`look at manifest ${name}`, async (model, real) => {
    const found = model.manifest(manifestId(model, name));
    if (found) await lookAtManifest(model, real, found);
  });

/** Steps on manifests, each with its weight. */
export const MANIFEST_STEPS: [number, fc.Arbitrary<Step | Look>][] = [
  [
    4,
    fc
      .tuple(
        newManifestName,
        assets,
        fc.constantFrom('PLANNED', 'PLANNED', 'PLANNED', 'TO_DO'),
        fc.option(gateName),
      )
      .map(([name, list, first, at]) => create(name, list, first as 'PLANNED', at ?? undefined)),
  ],
  [
    2,
    fc
      .tuple(manifestName, fc.option(assets), fc.option(fields))
      .map(([name, list, customFields]) => put(name, list, customFields)),
  ],
  [2, manifestName.map(remove)],
  [3, fc.tuple(manifestNameOrClosed, anySignature).map(([name, signature]) => sign(name, signature).twice())],
  [
    2,
    fc
      .tuple(manifestNameOrClosed, fc.constantFrom('B', 'B', 'O', 'L'))
      .map(([name, made]) => backorder(name, made)),
  ],
  [1, fc.tuple(manifestName, fc.constantFrom('B', 'O')).map(([name, made]) => backorder(name, made).twice())],
  [
    3,
    fc
      .tuple(manifestName, fc.constantFrom(...STATUSES, 'CANCELLED', 'DONE'))
      .map(([name, to]) => status(name, to)),
  ],
  [2, fc.tuple(manifestName, gateName).map(([name, at]) => gate(name, at))],
  [2, fc.tuple(manifestName, wmsId).map(([name, wms]) => record('POST', name, wms))],
  [1, fc.tuple(manifestName, wmsId).map(([name, wms]) => record('DELETE', name, wms))],
  [
    1,
    fc
      .tuple(manifestName, fc.constantFrom('a', 'b'), fc.constantFrom('1', '2', ' '))
      .map(([name, fieldKey, fieldValue]) => putField(name, { fieldKey, fieldValue })),
  ],
  [1, manifestName.map(look)],
];
