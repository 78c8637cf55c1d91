import type { Call } from '../client.ts';
import { Caller, type Run } from './caller.ts';
import { type Random, shuffle } from './random.ts';

export interface Block {
  first: number;
  last: number;
}

export interface Track {
  uuid: string;
  wmsId: string;
  markerCode: number;
  comments: number;
}

export interface Manifest {
  uuid: string;
  externalIdentifier: string;
  manifestStatus: string;
  assets: string[];
}

/** The next status of a manifest. COMPLETED has none. */
const NEXT_STATUS: Record<string, string> = {
  PLANNED: 'TO_DO',
  TO_DO: 'IN_PROGRESS',
  IN_PROGRESS: 'COMPLETED',
};
const QUANTITIES = [1, 1, 1, 2, 2, 3, 7, 20, 60, 500];
const ASSETS_MAXIMUM = 12;
/** How many callers want the same name at about the same time. */
const RIVALS = 4;

/** Names that several callers want at once, and the uuids of the winners by name. */
export class Contest {
  #entries = 0;
  readonly winners = new Map<string, string[]>();

  enter(): string {
    const name = `RACE-${Math.floor(this.#entries / RIVALS)}`;
    this.#entries += 1;
    if (!this.winners.has(name)) this.winners.set(name, []);
    return name;
  }
}

/** A caller with a model of all its answers. After each answer, the service must hold the same as the model. */
export class Warehouse {
  readonly blocks: Block[] = [];
  readonly tracks: Track[] = [];
  readonly manifests: Manifest[] = [];
  readonly #caller: Caller;
  readonly #contest: Contest;
  readonly #random: Random;
  readonly #uncoupled: number[] = [];
  #pallets = 0;
  #orders = 0;

  constructor(run: Run, name: string, contest: Contest, random: Random) {
    this.#caller = new Caller(run, name);
    this.#contest = contest;
    this.#random = random;
  }

  /** Works until the run ends. */
  async work(): Promise<void> {
    const [allocate, getAndCouple] = [() => this.#allocate(), () => this.#getAndCouple()];
    // A crash can lose or repeat codes most easily without a trace, so they are requested most often.
    const steps = [
      ...[allocate, allocate, allocate],
      ...[getAndCouple, getAndCouple, getAndCouple],
      () => this.#couple(),
      () => this.#createManifest(),
      () => this.#replaceManifest(),
      () => this.#moveManifest(),
      () => this.#comment(),
      () => this.#contend(),
    ];
    while (this.#caller.run.going) await this.#random.pick(steps)!();
  }

  async #allocate(): Promise<void> {
    const quantity = this.#random.pick(QUANTITIES)!;
    const delivery = quantity <= 3 ? 'BASE64' : 'URL';
    const path = `/marker-code/allocate?quantity=${quantity}&imageDelivery=${delivery}`;
    const allocated = await this.#settle(200, { method: 'POST', path });
    if (!allocated) return;
    const codes: number[] = allocated.entries.map((entry: { markerCode: number }) => entry.markerCode);
    const contiguous = codes.every((code, index) => code === codes[0]! + index);
    if (codes.length !== quantity || !contiguous) this.#fault(`${path} was answered ${codes.join()}`);
    this.blocks.push({ first: codes[0]!, last: codes.at(-1)! });
    // An overlapping block would show at the first or last code.
    this.#uncoupled.push(...new Set([codes[0]!, codes.at(-1)!]));
  }

  async #getAndCouple(): Promise<void> {
    const wmsId = this.#newPallet();
    const call = {
      method: 'POST',
      path: '/track/get-and-couple?imageDelivery=URL',
      json: { wmsId },
    };
    const coupled = await this.#settle(200, call);
    if (coupled) this.#gotAndCoupled(coupled, wmsId);
  }

  async #couple(): Promise<void> {
    const markerCode = this.#uncoupled.shift();
    if (markerCode === undefined) return;
    const wmsId = this.#newPallet();
    const call = { method: 'POST', path: '/track/couple', json: { wmsId, markerCode } };
    const coupled = await this.#settle(200, call);
    if (coupled) this.#coupled(coupled.track, wmsId, markerCode);
  }

  async #createManifest(): Promise<void> {
    this.#orders += 1;
    const externalIdentifier = `${this.#caller.name}-M${this.#orders}`;
    const assets = this.#someAssets();
    const json = { externalIdentifier, gateExternalId: 'G1', assets };
    const created = await this.#settle(201, { method: 'POST', path: '/manifest', json });
    if (!created) return;
    this.manifests.push({ uuid: created.uuid, externalIdentifier, manifestStatus: 'PLANNED', assets });
  }

  async #replaceManifest(): Promise<void> {
    const manifest = this.#openManifest();
    if (!manifest) return;
    const assets = this.#someAssets();
    const path = `/manifest/${manifest.externalIdentifier}`;
    const counted = await this.#settle(200, { method: 'PUT', path, json: { assets } });
    if (!counted) return;
    const unchanged = assets.filter((asset) => manifest.assets.includes(asset)).length;
    // A second effect would show as nothing added and nothing removed.
    const expected = {
      added: assets.length - unchanged,
      removed: manifest.assets.length - unchanged,
      unchanged,
    };
    if (JSON.stringify(counted.assets) !== JSON.stringify(expected)) {
      this.#fault(`PUT ${path} counted ${JSON.stringify(counted)}, not ${JSON.stringify(expected)}`);
    }
    manifest.assets = assets;
  }

  async #moveManifest(): Promise<void> {
    const manifest = this.#openManifest();
    if (!manifest) return;
    const next = NEXT_STATUS[manifest.manifestStatus]!;
    const path = `/manifest/${manifest.externalIdentifier}/status/${next}`;
    const moved = await this.#settle(200, { method: 'POST', path });
    if (!moved) return;
    if (moved.manifestStatus !== next) this.#fault(`POST ${path} was answered ${moved.manifestStatus}`);
    manifest.manifestStatus = next;
  }

  async #comment(): Promise<void> {
    const track = this.#random.pick(this.tracks);
    if (!track) return;
    const json = { additionalInfo: `remark ${track.comments}` };
    const path = `/track/${track.uuid}/comments`;
    if (await this.#settle(200, { method: 'POST', path, json })) track.comments += 1;
  }

  /** Requests a name that other callers also want: for a manifest or for a pallet. The losers must take no code. */
  async #contend(): Promise<void> {
    const name = this.#contest.enter();
    const byManifest = Number(name.split('-')[1]) % 2 === 0;
    const call = byManifest
      ? { method: 'POST', path: '/manifest', json: { externalIdentifier: name, gateExternalId: 'G1' } }
      : { method: 'POST', path: '/track/get-and-couple?imageDelivery=URL', json: { wmsId: name } };
    const { status, json } = await this.#caller.settle(call);
    if (status === 409) return;
    const uuid: string = byManifest ? json.uuid : json.track?.uuid;
    if (status !== (byManifest ? 201 : 200)) return this.#fault(`${name} was answered ${status}`);
    this.#contest.winners.get(name)!.push(uuid);
    if (byManifest) {
      this.manifests.push({ uuid, externalIdentifier: name, manifestStatus: 'PLANNED', assets: [] });
    } else {
      this.#gotAndCoupled(json, name);
    }
  }

  /** Returns the body. An answer with an unexpected status is a fault, and undefined is returned. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async #settle(wanted: number, call: Call): Promise<any> {
    const { status, json, text } = await this.#caller.settle(call);
    if (status === wanted) return json;
    this.#fault(`${call.method} ${call.path} was answered ${status} ${text.slice(0, 200)}`);
  }

  #gotAndCoupled(
    { markerCode, track }: { markerCode: number; track: Omit<Track, 'comments'> },
    wmsId: string,
  ): void {
    this.#coupled(track, wmsId, markerCode);
    this.blocks.push({ first: markerCode, last: markerCode });
  }

  #coupled(track: Omit<Track, 'comments'>, wmsId: string, code: number): void {
    if (track.wmsId !== wmsId || track.markerCode !== code) {
      this.#fault(`${wmsId} was coupled to ${code}, the answer shows ${JSON.stringify(track)}`);
    }
    this.tracks.push({ uuid: track.uuid, wmsId, markerCode: code, comments: 0 });
  }

  #newPallet(): string {
    this.#pallets += 1;
    return `${this.#caller.name}-P${this.#pallets}`;
  }

  /** Some pallets that are coupled, and some that will be coupled later. */
  #someAssets(): string[] {
    const known = Array.from(
      { length: this.#pallets + 5 },
      (_, index) => `${this.#caller.name}-P${index + 1}`,
    );
    return shuffle(this.#random, known).slice(0, this.#random.below(ASSETS_MAXIMUM + 1));
  }

  #openManifest(): Manifest | undefined {
    return this.#random.pick(
      this.manifests.filter(({ manifestStatus }) => manifestStatus in NEXT_STATUS).slice(-5),
    );
  }

  #fault(text: string): void {
    this.#caller.run.faults.push(`${this.#caller.name}: ${text}`);
  }
}
