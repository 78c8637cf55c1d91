import fc from 'fast-check';
import * as rules from './model/rules-track.ts';
import { gateName, markerCode, trackId, trackName, wmsId } from './names.ts';
import { Step } from './step.ts';

export const allocate = (quantity: number) =>
  new Step(`allocate ${quantity}`, (model) => ({
    request: { method: 'POST', path: `/marker-code/allocate?imageDelivery=URL&quantity=${quantity}` },
    rule: () => rules.allocate(model, quantity),
  }));

export const couple = (code: number, wms: string) =>
  new Step(`couple ${code} ${wms}`, (model) => ({
    request: { method: 'POST', path: '/track/couple', json: { markerCode: code, wmsId: wms } },
    rule: () => rules.couple(model, code, wms),
  }));

export const getAndCouple = (wms: string) =>
  new Step(`getAndCouple ${wms}`, (model) => ({
    request: { method: 'POST', path: '/track/get-and-couple?imageDelivery=URL', json: { wmsId: wms } },
    rule: () => rules.getAndCouple(model, wms),
  }));

export const retire = (name: string, force: boolean) =>
  new Step(`retire ${name}${force ? ' by force' : ''}`, (model) => {
    const id = trackId(model, name);
    return {
      request: { method: 'PATCH', path: `/track/${id}/retire?force=${force}` },
      rule: () => rules.retireTrack(model, id, force),
    };
  });

const revert = (name: string) =>
  new Step(`revertRetirement ${name}`, (model) => {
    const id = trackId(model, name);
    return {
      request: { method: 'PATCH', path: `/track/${id}/revert-retirement` },
      rule: () => rules.revertRetirement(model, id),
    };
  });

export const remove = (name: string) =>
  new Step(`deleteTrack ${name}`, (model) => {
    const id = trackId(model, name);
    return {
      request: { method: 'DELETE', path: `/track/${id}` },
      rule: () => rules.deleteTrack(model, id),
    };
  });

export const flag = (name: string, damaged: boolean | null) =>
  new Step(`flag ${name} ${damaged}`, (model) => {
    const id = trackId(model, name);
    return {
      request: { method: 'PATCH', path: `/track/${id}/flag`, json: { damaged } },
      rule: () => rules.flagTrack(model, id, damaged),
    };
  });

export const unflag = (name: string) =>
  new Step(`unflag ${name}`, (model) => {
    const id = trackId(model, name);
    return {
      request: { method: 'PATCH', path: `/track/${id}/unflag` },
      rule: () => rules.unflagTrack(model, id),
    };
  });

export const putGate = (name: string) =>
  new Step(`putGate ${name}`, (model) => ({
    request: { api: 'operator', method: 'PUT', path: `/gate/${name}`, json: { name: `Gate ${name}` } },
    rule: () => rules.putGate(model, name),
  }));

const deleteGate = (name: string) =>
  new Step(`deleteGate ${name}`, (model) => ({
    request: { api: 'operator', method: 'DELETE', path: `/gate/${name}` },
    rule: () => rules.deleteGate(model, name),
  }));

/** Steps on gates, markers and tracks, each with its weight. */
export const TRACK_STEPS: [number, fc.Arbitrary<Step>][] = [
  [1, fc.integer({ min: 1, max: 2 }).map(allocate)],
  [2, fc.tuple(markerCode, wmsId).map(([code, wms]) => couple(code, wms))],
  [1, wmsId.map(getAndCouple)],
  [2, fc.tuple(trackName, fc.boolean()).map(([name, force]) => retire(name, force))],
  [1, trackName.map(revert)],
  [1, trackName.map(remove)],
  [1, fc.tuple(trackName, fc.constantFrom(true, false, null)).map(([name, damaged]) => flag(name, damaged))],
  [1, trackName.map(unflag)],
  [1, gateName.filter((name) => name !== 'nobody').map(putGate)],
  [1, gateName.map(deleteGate)],
];
