import { resolveAlerts } from './rules-alert.ts';
import { readWithoutWork, settleRead } from './rules-idle.ts';
import { addRecord } from './rules-manifest.ts';
import { loadOf, takeFromOthers } from './rules-place.ts';
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

/** A camera's date is replaced if it is older. */
const OLDEST_MS = 30 * 86_400_000;

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
  /** How many records of other loads it changes. */
  #elsewhere = 0;

  constructor(model: Model, gate: Gate, scan: Scan) {
    this.model = model;
    this.gate = gate;
    this.scan = scan;
    const { scanDate } = scan;
    const age = scanDate === undefined ? -1 : Date.now() - Date.parse(scanDate);
    this.date = age < 0 || age > OLDEST_MS ? model.now : scanDate!;
    const labelled = model.ofCode(scan.markerCode);
    // The old label of a pallet that has a new marker.
    this.track = labelled?.retirement === 'RETIRED' ? (model.live(labelled.wmsId) ?? labelled) : labelled;
    this.active = model.manifests
      .filter((manifest) => !manifest.deleted && manifest.status === 'IN_PROGRESS' && manifest.gate === gate)
      .sort(byActivation)
      .reverse();
  }

  answer(): ScanAnswer {
    const { track } = this;
    const late = this.#isLate();
    const [outcome, record] = late ? ['SUPERSEDED', null] : this.#effect();
    settleRead(
      this.model,
      [{ wmsId: track?.wmsId ?? null, code: this.scan.markerCode }],
      this.scan.direction,
      outcome,
    );
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
    if (this.scan.direction === 'LOAD') return this.#loaded() ?? this.#invalid();
    const moved = this.#moved();
    const removed = this.#takenOff();
    return moved ?? removed ?? this.#dispatched('OFFLOADED') ?? [this.#nothing(), null];
  }

  /** An UNLOAD or OFFLOAD first concerns a load that has the pallet aboard. */
  #moved(): [string, Loading] | null {
    const expected = this.#expected();
    return (
      this.#dispatched('LOADED') ??
      this.#unloaded(expected.filter(({ status }) => status === 'LOADED')) ??
      this.#leftAboard() ??
      this.#unloaded(expected)
    );
  }

  /** The records of the pallet on the loads in progress here, the load that was activated last first. */
  #expected(): Loading[] {
    return this.active.flatMap((manifest) => this.#assetOn(manifest) ?? []);
  }

  /** All records of the pallet on the load of the first of these records. */
  #onLoadOf(records: Loading[]): Loading[] {
    const [first] = records;
    if (!first) return [];
    return this.#expected().filter((other) => loadOf(other.manifest) === loadOf(first.manifest));
  }

  #loaded(): [string, Loading] | null {
    const records = this.#onLoadOf(this.#expected());
    if (records.length === 0) return null;
    for (const record of records) this.#change(record, 'LOADED');
    this.#elsewhere = takeFromOthers(this.model, this.track!.wmsId, loadOf(records[0]!.manifest));
    return ['LOADED', records[0]!];
  }

  #unloaded(among: Loading[]): [string, Loading] | null {
    const records = this.#onLoadOf(among);
    for (const record of records) this.#change(record, 'UNLOADED');
    return records.length > 0 ? ['UNLOADED', among[0]!] : null;
  }

  /** Unloads the pallet from manifests that were cancelled here while it was aboard. */
  #leftAboard(): [string, Loading] | null {
    const records = this.model.manifests
      .filter(({ deleted, status }) => !deleted && status === 'CANCELLED')
      .sort((one, two) => compareMoments(two.closed!, one.closed!) || two.created.order - one.created.order)
      .flatMap((manifest) => this.#assetOn(manifest) ?? [])
      .filter(({ status, gate }) => status === 'LOADED' && gate === this.gate);
    for (const record of records) this.#change(record, 'UNLOADED');
    return records.length > 0 ? ['UNLOADED', records[0]!] : null;
  }

  #nothing(): string {
    return this.scan.direction === 'UNLOAD' && this.active.length === 0 ? 'NO_ACTIVE_MANIFEST' : 'NOT_LOADED';
  }

  /** Whether an invalid record is about this marker, or about the pallet of it. */
  #isRead({ code, wmsId }: Loading): boolean {
    return code === this.scan.markerCode || (this.track !== undefined && wmsId === this.track.wmsId);
  }

  /** Removes the invalid records of the marker at this gate. The answer shows the one of the last load in progress. */
  #takenOff(): [string, Loading] | null {
    const { model, gate, date } = this;
    const removed = model.manifests
      .filter(({ deleted }) => !deleted)
      .flatMap(({ records }) => records)
      .filter((record) => !isAsset(record) && this.#isRead(record))
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
      model.catch(manifest);
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
        details: new Containing(record.status),
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
      readWithoutWork(model, gate, track, this.scan.markerCode);
      return ['NO_ACTIVE_MANIFEST', null];
    }
    const status = track ? 'WRONGLY_LOADED' : 'UNKNOWN_LOADING';
    const { markerCode: code } = this.scan;
    const same = this.model.records.find(
      (record) =>
        record.manifest.records.includes(record) &&
        loadOf(record.manifest) === loadOf(manifest) &&
        record.status === status &&
        (track ? record.wmsId === track.wmsId : record.code === code),
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

  #alert(type: 'WRONGLY_LOADED' | 'UNKNOWN_LOADING', record: Loading): void {
    const { model, gate, track, scan } = this;
    model.alerts.push({
      uuid: new Unknown(),
      type,
      gate,
      wmsId: track?.wmsId ?? null,
      code: scan.markerCode,
      manifest: record.manifest.id,
      shipment: record.manifest.shipment?.id ?? null,
      record,
      count: 1,
      covers: [],
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
    if (this.#changed + this.#elsewhere > 0 || this.#added) this.#changes().set(this.#camera, date);
    track.touched = model.now;
    if (track.lastSeen === null || compareMoments(date, track.lastSeen) >= 0) {
      Object.assign(track, { lastSeen: date, lastGate: gate });
    }
    if (!this.scan.damaged || (track.flagged && track.damaged)) return;
    Object.assign(track, { flagged: true, damaged: true });
    model.note(track, 'FLAGGED', { date, gate: ANY, manifest: ANY, shipment: ANY, details: ANY });
  }
}
