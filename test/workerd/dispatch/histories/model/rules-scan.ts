import { addRecord } from './rules-manifest.ts';
import {
  assetsOf,
  type Gate,
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
}

const STATUS_OF = { LOAD: 'LOADED', UNLOAD: 'UNLOADED', OFFLOAD: 'UNLOADED' } as const;

/** Records scans in their order. A repeated scanId changes nothing and gets its first answer. */
export function recordScans(model: Model, gateIdentifier: string, scans: Scan[], single: boolean): Verdict {
  const gate = model.gate(gateIdentifier);
  if (!gate) return refused(404, 'gateNotFound');
  const before = model.scans.size;
  const results = scans.map((scan) => {
    const answer = model.scans.get(scan.scanId) ?? new Reading(model, gate, scan).answer();
    model.scans.set(scan.scanId, answer);
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
  #changed = 0;

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
    const [outcome, record] =
      this.#dispatched('LOADED') ?? this.#held() ?? this.#dispatched('OFFLOADED') ?? this.#invalid();
    if (track) this.#seen(track, outcome);
    return {
      scanId: this.scan.scanId,
      outcome,
      recordUuid: record?.uuid ?? null,
      manifestExternalId: record?.manifest.id ?? null,
      trackIdentifier: track?.wmsId ?? null,
    };
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

  /** Updates the track of a known pallet and its timeline. */
  #seen(track: Track, outcome: string): void {
    const { model, gate, date } = this;
    track.touched = model.now;
    if (track.lastSeen === null || compareMoments(date, track.lastSeen) >= 0) {
      Object.assign(track, { lastSeen: date, lastGate: gate });
    }
    if (this.#changed === 0) {
      const details = new Containing(outcome);
      model.note(track, 'SEEN', { date, gate, manifest: ANY, shipment: ANY, details });
    }
    if (!this.scan.damaged || (track.flagged && track.damaged)) return;
    Object.assign(track, { flagged: true, damaged: true });
    model.note(track, 'FLAGGED', { date, gate: ANY, manifest: ANY, shipment: ANY, details: ANY });
  }
}
