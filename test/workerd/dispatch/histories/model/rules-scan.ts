import { addRecord, resolveAlerts } from './rules-manifest.ts';
import {
  assetsOf,
  type Gate,
  isAsset,
  isOpen,
  type Loading,
  type Manifest,
  type Model,
  type ScanAnswer,
  type Track,
} from './state.ts';
import { ANY, Containing, compareMoments, type Moment, Unknown } from './values.ts';
import { answered, refused, type Verdict } from './verdict.ts';
import { byActivation, trackOf } from './views.ts';

export interface Scan {
  scanId: string;
  markerCode: number;
  direction: 'LOAD' | 'UNLOAD' | 'OFFLOAD';
  damaged?: boolean;
  scanDate?: string;
  cameraHardwareId?: string;
}

const STATUS_OF = { LOAD: 'LOADED', UNLOAD: 'UNLOADED', OFFLOAD: 'UNLOADED' } as const;

/**
 * Records scans in their order. A repeat has the same scanId, marker and direction. It changes nothing and gets the
 * first answer.
 */
export function recordScans(model: Model, gateIdentifier: string, scans: Scan[], single: boolean): Verdict {
  const gate = model.gate(gateIdentifier);
  if (!gate) return refused(404, 'gateNotFound');
  const before = model.scans.size;
  const results = scans.map((scan) => {
    const key = JSON.stringify([scan.scanId, scan.markerCode, scan.direction]);
    const answer = model.scans.get(key) ?? new Reading(model, gate, scan).answer();
    model.scans.set(key, answer);
    return answer;
  });
  if (model.scans.size > before) model.scanCommits += 1;
  return answered(single ? results[0] : { results });
}

/** The meaning and the effects of one scan. */
class Reading {
  readonly model: Model;
  readonly gate: Gate;
  readonly scan: Scan;
  readonly date: Moment;
  readonly track: Track | undefined;
  /**
   * Manifests in progress at the gate, the last activated first. If several have the same instant, the last created
   * is first.
   */
  readonly active: Manifest[];
  /** How many timeline entries its changes have. */
  #changed = 0;
  #added = false;

  constructor(model: Model, gate: Gate, scan: Scan) {
    this.model = model;
    this.gate = gate;
    this.scan = scan;
    const { scanDate } = scan;
    this.date = scanDate === undefined || scanDate > new Date().toISOString() ? model.now : scanDate;
    this.track = model.ofCode(scan.markerCode);
    this.active = model.manifests
      .filter((manifest) => !manifest.deleted && manifest.status === 'IN_PROGRESS' && manifest.gate === gate)
      .sort(byActivation)
      .reverse();
  }

  answer(): ScanAnswer {
    const { track } = this;
    const late = this.#isLate();
    const [outcome, record] = late ? ['SUPERSEDED', null] : this.#effect();
    if (track) this.#seen(track, outcome, late);
    return {
      scanId: this.scan.scanId,
      outcome,
      recordUuid: record?.uuid ?? null,
      manifestExternalId: record?.manifest.id ?? null,
      trackIdentifier: track?.wmsId ?? null,
    };
  }

  /** The dates at which cameras changed the status of the pallet. All tests use one token. */
  #changes(): Map<string, Moment> {
    const changes = this.model.changes.get(this.track!) ?? new Map<string, Moment>();
    this.model.changes.set(this.track!, changes);
    return changes;
  }

  get #camera(): string {
    return this.scan.cameraHardwareId ?? 'the token';
  }

  #isLate(): boolean {
    const last = this.track && this.#changes().get(this.#camera);
    return last !== undefined && compareMoments(this.date, last) < 0;
  }

  #effect(): [string, Loading | null] {
    if (this.scan.direction === 'LOAD') return this.#held() ?? this.#invalid();
    const moved = this.#dispatched('LOADED') ?? this.#held();
    const removed = this.#takenOff();
    return moved ?? removed ?? this.#dispatched('OFFLOADED') ?? [this.#nothing(), null];
  }

  #nothing(): string {
    return this.scan.direction === 'UNLOAD' && this.active.length === 0 ? 'NO_ACTIVE_MANIFEST' : 'NOT_LOADED';
  }

  /** Removes the invalid records of the marker at this gate. The answer shows the one of the last load in progress. */
  #takenOff(): [string, Loading] | null {
    const { model, gate, date } = this;
    const removed = model.manifests
      .filter(({ deleted }) => !deleted)
      .flatMap(({ records }) => records)
      .filter((record) => !isAsset(record) && record.code === this.scan.markerCode)
      .filter((record) => record.gate === gate || this.active.includes(record.manifest))
      .sort(
        (one, two) =>
          Number(two.manifest.status === 'IN_PROGRESS') - Number(one.manifest.status === 'IN_PROGRESS') ||
          model.records.indexOf(two) - model.records.indexOf(one),
      );
    for (const record of removed) {
      const { manifest } = record;
      this.#changed += 1;
      manifest.records = manifest.records.filter((other) => other !== record);
      model.touch(manifest);
      model.audits.push({
        action: 'UNAUTHORIZED_LOADING_RESOLVED',
        record,
        afterClose: !isOpen(manifest),
      });
      const shipment = manifest.shipment?.id ?? null;
      model.note(this.track, 'UNLOADED', {
        date,
        gate,
        manifest: manifest.id,
        shipment,
        details: record.status,
      });
    }
    resolveAlerts(model, removed);
    return removed.length > 0 ? ['UNLOADED', removed[0]!] : null;
  }

  /** The asset of the pallet on a manifest. */
  #assetOn(manifest: Manifest): Loading | undefined {
    return assetsOf(manifest).find((asset) => this.track && trackOf(this.model, asset) === this.track);
  }

  /**
   * Offloads the pallet from completed manifests, the last closed first. It is LOADED there, or already OFFLOADED.
   */
  #dispatched(present: 'LOADED' | 'OFFLOADED'): [string, Loading] | null {
    if (this.scan.direction !== 'OFFLOAD') return null;
    const records = this.model.manifests
      .filter(({ deleted, status }) => !deleted && status === 'COMPLETED')
      .sort((one, two) => compareMoments(two.closed!, one.closed!) || two.created.order - one.created.order)
      .flatMap((manifest) => this.#assetOn(manifest) ?? [])
      .filter(({ status }) => status === present);
    for (const record of records) this.#change(record, 'OFFLOADED');
    return records.length > 0 ? ['OFFLOADED', records[0]!] : null;
  }

  /** Marks the pallet on the manifests that are in progress here. */
  #held(): [string, Loading] | null {
    const records = this.active.flatMap((manifest) => this.#assetOn(manifest) ?? []);
    const status = STATUS_OF[this.scan.direction];
    for (const record of records) this.#change(record, status);
    return records.length > 0 ? [status, records[0]!] : null;
  }

  #change(record: Loading, status: Loading['status']): void {
    const { model, gate, date } = this;
    if (record.status === status) return;
    this.#changed += 1;
    Object.assign(record, { status, gate, touched: model.now });
    if (status === 'LOADED') record.loaded = date;
    model.touch(record.manifest);
    model.audits.push({ action: 'ASSET_LOADING_STATUS_CHANGED', record, afterClose: ANY });
    const { id: manifest, shipment } = record.manifest;
    model.note(this.track, status, { date, gate, manifest, shipment: shipment?.id ?? null, details: ANY });
  }

  /** Records a pallet that does not belong here, or an unknown marker. */
  #invalid(): [string, Loading | null] {
    const { model, gate, date, track } = this;
    const [manifest] = this.active;
    if (!manifest) {
      this.#alert('SCAN_WITHOUT_ACTIVE_MANIFEST', null);
      return ['NO_ACTIVE_MANIFEST', null];
    }
    const status = track ? 'WRONGLY_LOADED' : 'UNKNOWN_LOADING';
    const { markerCode: code } = this.scan;
    const same = manifest.records.find(
      (record) => record.status === status && (track ? record.track === track : record.code === code),
    );
    if (same) return [status, same];
    const record = addRecord(model, manifest, {
      wmsId: track?.wmsId ?? null,
      track: track ?? null,
      code,
      status,
      gate,
      loaded: date,
    });
    this.#added = true;
    model.touch(manifest);
    model.audits.push({ action: 'UNAUTHORIZED_LOADING_ADDED', record, afterClose: ANY });
    this.#alert(status, record);
    return [status, record];
  }

  #alert(
    type: 'WRONGLY_LOADED' | 'UNKNOWN_LOADING' | 'SCAN_WITHOUT_ACTIVE_MANIFEST',
    record: Loading | null,
  ): void {
    const { model, gate, track, scan } = this;
    const open = model.alerts.some(
      (alert) =>
        alert.type === type &&
        alert.gate === gate &&
        alert.code === scan.markerCode &&
        alert.resolved === null,
    );
    if (record === null && open) return;
    model.alerts.push({
      uuid: new Unknown(),
      type,
      gate,
      wmsId: track?.wmsId ?? null,
      code: scan.markerCode,
      manifest: record?.manifest.id ?? null,
      shipment: record?.manifest.shipment?.id ?? null,
      record,
      raised: model.now,
      resolved: null,
    });
  }

  /** Updates the track of a known pallet and its timeline. A late scan only appears in the timeline. */
  #seen(track: Track, outcome: string, late: boolean): void {
    const { model, gate, date } = this;
    if (this.#changed === 0) {
      const details = new Containing(outcome);
      model.note(track, 'SEEN', { date, gate, manifest: ANY, shipment: ANY, details });
    }
    if (late) return;
    if (this.#changed > 0 || this.#added) this.#changes().set(this.#camera, date);
    track.touched = model.now;
    if (track.lastSeen === null || compareMoments(date, track.lastSeen) >= 0) {
      Object.assign(track, { lastSeen: date, lastGate: gate });
    }
    if (!this.scan.damaged || (track.flagged && track.damaged)) return;
    Object.assign(track, { flagged: true, damaged: true });
    model.note(track, 'FLAGGED', { date, gate: ANY, manifest: ANY, shipment: ANY, details: ANY });
  }
}
