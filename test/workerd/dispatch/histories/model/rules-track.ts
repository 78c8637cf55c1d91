import { assetsOf, type Model, type Track } from './state.ts';
import { answered, type Item, refused, type Verdict } from './verdict.ts';
import { trackOf, trackView } from './views.ts';

const missing = () => refused(404, 'trackNotFound');

/** Whether an asset of an open manifest means this track. */
function onOpenManifest(model: Model, track: Track): boolean {
  return model
    .openManifests()
    .some((manifest) => assetsOf(manifest).some((asset) => trackOf(model, asset) === track));
}

/** Retires tracks that are scheduled for it and are on no open manifest any more. */
export function retireScheduled(model: Model): void {
  for (const track of model.tracks) {
    if (track.deleted || track.retirement !== 'SCHEDULED' || onOpenManifest(model, track)) continue;
    retire(model, track);
    model.note(track, 'RETIRED', { details: 'its last open manifest closed' });
  }
}

function retire(model: Model, track: Track): void {
  track.retirement = 'RETIRED';
  track.retired = model.now;
  track.touched = model.now;
}

/** Allocates the next codes without gaps. */
export function allocate(model: Model, quantity: number): Verdict {
  const entries = Array.from({ length: quantity }, (_, index) => ({ markerCode: model.nextCode + index }));
  model.nextCode += quantity;
  return answered({ entries });
}

function make(model: Model, code: number, wmsId: string): Track {
  const track: Track = {
    ...model.made(),
    wmsId,
    code,
    retirement: 'NONE',
    flagged: false,
    damaged: false,
    retired: null,
    lastSeen: null,
    lastGate: null,
    timeline: [],
  };
  model.tracks.push(track);
  model.note(track, 'COUPLED', { details: `marker ${code}` });
  for (const manifest of model.openManifests()) {
    if (!assetsOf(manifest).some((asset) => asset.wmsId === wmsId)) continue;
    model.note(track, 'ATTACHED', { manifest: manifest.id });
    manifest.touched = model.now;
  }
  return track;
}

export function couple(model: Model, code: number, wmsId: string): Verdict {
  const coupled = model.ofCode(code);
  if (coupled?.wmsId === wmsId && coupled.retirement !== 'RETIRED') {
    return answered({ track: trackView(model, coupled) });
  }
  const errors: Item[] = [];
  if (code >= model.nextCode)
    errors.push({ field: 'markerCode', code: 'markerNotAllocated', rejectedValue: code });
  if (coupled) errors.push({ field: 'markerCode', code: 'markerAlreadyCoupled', rejectedValue: code });
  if (model.live(wmsId)) errors.push({ field: 'wmsId', code: 'wmsIdAlreadyCoupled', rejectedValue: wmsId });
  if (errors.length > 0) return { status: 409, codes: errors.map((item) => item.code), errors };
  return answered({ track: trackView(model, make(model, code, wmsId)) });
}

export function getAndCouple(model: Model, wmsId: string): Verdict {
  if (model.live(wmsId)) {
    return refused(409, 'wmsIdAlreadyCoupled', {
      errors: [{ field: 'wmsId', code: 'wmsIdAlreadyCoupled', rejectedValue: wmsId }],
    });
  }
  const markerCode = model.nextCode;
  model.nextCode += 1;
  return answered({ markerCode, track: trackView(model, make(model, markerCode, wmsId)) });
}

export function retireTrack(model: Model, identifier: string, force: boolean): Verdict {
  const track = model.track(identifier);
  if (!track) return missing();
  if (track.retirement === 'RETIRED') return answered({});
  if (force || !onOpenManifest(model, track)) {
    retire(model, track);
    model.note(track, 'RETIRED');
  } else if (track.retirement === 'NONE') {
    track.retirement = 'SCHEDULED';
    track.touched = model.now;
    model.note(track, 'RETIRED', { details: 'once its open manifests are closed' });
  }
  return answered({});
}

export function revertRetirement(model: Model, identifier: string): Verdict {
  const track = model.track(identifier);
  if (!track) return missing();
  if (track.retirement === 'NONE') return answered({});
  if (track.retirement === 'RETIRED' && model.live(track.wmsId)) return refused(409, 'wmsIdAlreadyCoupled');
  Object.assign(track, { retirement: 'NONE', retired: null, flagged: false, touched: model.now });
  model.note(track, 'REACTIVATED');
  return answered({});
}

export function deleteTrack(model: Model, identifier: string): Verdict {
  const track = model.track(identifier);
  if (!track) return missing();
  if (onOpenManifest(model, track)) return refused(409, 'trackOnOpenManifest');
  Object.assign(track, { deleted: true, touched: model.now });
  model.note(track, 'DELETED');
  return answered({});
}

export function flagTrack(model: Model, identifier: string, damaged: boolean | null): Verdict {
  const track = model.track(identifier);
  if (!track) return missing();
  const state = { flagged: true, damaged: damaged ?? track.damaged };
  if (!track.flagged || state.damaged !== track.damaged) {
    Object.assign(track, state, { touched: model.now });
    model.note(track, 'FLAGGED');
  }
  return answered(trackView(model, track));
}

export function unflagTrack(model: Model, identifier: string): Verdict {
  const track = model.track(identifier);
  if (!track) return missing();
  if (track.flagged || track.damaged) {
    Object.assign(track, { flagged: false, damaged: false, touched: model.now });
    model.note(track, 'UNFLAGGED');
  }
  return answered(trackView(model, track));
}

/** Deletes a gate, unless an open manifest or shipment is assigned to it. */
export function deleteGate(model: Model, identifier: string): Verdict {
  const gate = model.gate(identifier);
  if (!gate) return refused(404, 'gateNotFound');
  const assigned = [
    ...model.openManifests(),
    ...model.shipments.filter(
      ({ deleted, status }) => !deleted && (status === 'TO_DO' || status === 'IN_PROGRESS'),
    ),
  ];
  if (assigned.some((item) => item.gate === gate)) return refused(409, 'gateInUse');
  Object.assign(gate, { deleted: true, touched: model.now });
  return answered(undefined, 204);
}

/** Creates a gate if it does not exist. */
export function putGate(model: Model, identifier: string): Verdict {
  if (model.gate(identifier)) return answered();
  model.gates.push({ ...model.made(), id: identifier });
  return answered(undefined, 201);
}
