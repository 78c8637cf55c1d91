import { Fields } from './fields.ts';
import type { Row } from './store.ts';
import { Finding, type World } from './world.ts';

interface Change {
  field: string;
  oldValue: unknown;
  newValue: unknown;
}

/** A record of the audit log. */
export interface Logged {
  sequenceNumber: number;
  hash: string;
  previousHash: string;
  action: string;
  entityType: string;
  entityUuid: string;
  requestId: string;
  changes: Change[];
}

const FIRST_HASH = '0'.repeat(64);
const FIRST_CODE = 1_000;

/** Where an organization's log is, in the store as it is now. */
interface Place {
  number: number;
  hash: string;
  /** What the last record says. */
  action: string | undefined;
  event: number;
  nextCode: number;
  codes: [first: number, last: number][];
  /** The batch by which each wish took effect. */
  effects: Map<string, number>;
  fields: Fields;
}

const start = (): Place => ({
  number: 0,
  hash: FIRST_HASH,
  action: undefined,
  event: 0,
  nextCode: FIRST_CODE,
  codes: [],
  effects: new Map(),
  fields: new Fields(),
});

/** The wish that a record is of; a request that the service made itself is as it is. */
const wishOf = ({ requestId }: Pick<Logged, 'requestId'>): string => requestId.replace(/\.\d+$/, '');

/** Follows the log of an organization, commit by commit: numbers, chain, codes, effects and states. */
export class LogCheck {
  readonly organization: string;
  readonly #world: World;
  #place = start();
  /**
   * In all the times that there were: the hash, or uuid, under each number, and by which batch a record came. Only who
   * commits uses a number: what a store that is put back has again may be of a time that nobody was told of.
   */
  readonly #hashes = new Map<number, string>();
  readonly #events = new Map<number, string>();
  readonly #batches = new Map<string, number>();
  /** Numbers of the last record and event of a wish, which its caller may know. */
  readonly #made = new Map<string, { number: number; event: number }>();
  /** The last numbers that somebody was told of. */
  #told = { number: 0, event: 0 };
  #lastHandedOut = 0;
  #lastAllocated = 0;
  /** Of each webhook the last event before it, and the types that it was ever to be sent; none for all. */
  readonly webhooks = new Map<string, { position: number; filters: string[][] }>();
  /** Whether there is a commit of which no living object knows, and has had no reason to look since. */
  isUnseen = false;
  /** Whether the store was put back, and the log has not said so. */
  isPutBack = false;
  /** How often a rewind was declared twice. */
  declaredTwice = 0;

  constructor(world: World, organization: string) {
    this.organization = organization;
    this.#world = world;
  }

  get fields(): Fields {
    return this.#place.fields;
  }

  get place(): Readonly<Place> {
    return this.#place;
  }

  get codes(): readonly [first: number, last: number][] {
    return this.#place.codes;
  }

  /** The caller of a wish has its answer. */
  tell(wish: string): void {
    const made = this.#made.get(wish);
    if (made) this.#tell(made);
  }

  #tell({ number, event }: { number: number; event: number }): void {
    this.#told = { number: Math.max(this.#told.number, number), event: Math.max(this.#told.event, event) };
  }

  handedOut(code: number): void {
    this.#lastHandedOut = Math.max(this.#lastHandedOut, code);
  }

  /** The store was put back: what is there is looked at anew, and nobody hears any more of what is not. */
  async putBack(): Promise<void> {
    this.isPutBack = true;
    this.#made.clear();
    this.#place = start();
    await this.advance(undefined);
  }

  /** Look at what was added. */
  async advance(batch: number | undefined): Promise<void> {
    const { store } = await this.#world.stores.homeOf(this.organization);
    const records = await store.read(
      `SELECT sequence_number AS "sequenceNumber", hash, previous_hash AS "previousHash", action,
        entity_type AS "entityType", entity_uuid AS "entityUuid", request_id AS "requestId", changes
      FROM audit_log WHERE organization_uuid = ? AND sequence_number > ? ORDER BY sequence_number`,
      this.organization,
      this.#place.number,
    );
    const events = await store.read(
      `SELECT sequence_number AS "sequenceNumber", uuid, event_type AS "eventType" FROM event
      WHERE organization_uuid = ? AND sequence_number > ? ORDER BY sequence_number`,
      this.organization,
      this.#place.event,
    );
    const isNew = batch !== undefined;
    for (const event of events) this.#takeEvent(event, isNew);
    for (const row of records) {
      const record = { ...row, changes: JSON.parse(row['changes'] as string) } as unknown as Logged;
      this.#takeRecord(record, isNew);
      this.#takeEffect(record, batch);
      if (isNew && record.entityType === 'WEBHOOK') await this.#takeWebhook(record);
    }
  }

  async #takeWebhook({ action, entityUuid, changes }: Logged): Promise<void> {
    const types = changes.find(({ field }) => field === 'eventTypes')?.newValue as string[] | undefined;
    if (action === 'WEBHOOK_CREATED') {
      const [row] = await this.#world.stores.read(
        this.organization,
        'SELECT position FROM webhook WHERE uuid = ?',
        entityUuid,
      );
      this.webhooks.set(entityUuid, { position: row!['position'] as number, filters: [types ?? []] });
    } else if (types) this.webhooks.get(entityUuid)!.filters.push(types);
  }

  #takeEvent({ sequenceNumber, uuid, eventType }: Row, isNew: boolean): void {
    const number = sequenceNumber as number;
    if (number !== this.#place.event + 1 && eventType !== 'STORE_REWOUND') {
      this.#find(`event ${number} follows ${this.#place.event}`);
    }
    const before = this.#events.get(number);
    if (isNew && before !== undefined && before !== uuid && number <= this.#told.event) {
      this.#find(`the number of event ${number} is used again`);
    }
    this.#events.set(number, uuid as string);
    this.#place.event = number;
  }

  #takeRecord(record: Logged, isNew: boolean): void {
    const { sequenceNumber: number, hash, previousHash } = record;
    const place = this.#place;
    if (record.action === 'STORE_REWOUND') this.#takeRewind(record, isNew);
    else if (number !== place.number + 1) this.#find(`record ${number} follows ${place.number}`);
    if (previousHash !== place.hash) this.#find(`record ${number} does not follow the one before it`);
    const before = this.#hashes.get(number);
    if (isNew && before !== undefined && before !== hash && number <= this.#told.number) {
      this.#find(`the number of record ${number} is used again`);
    }
    this.#hashes.set(number, hash);
    place.number = number;
    place.hash = hash;
    place.action = record.action;
    const made = { number, event: place.event };
    this.#made.set(wishOf(record), made);
    // Nobody is answered a rewind, but anybody may read of it as soon as it is there.
    if (isNew && record.action === 'STORE_REWOUND') this.#tell(made);
    if (record.action === 'MARKERS_ALLOCATED') this.#takeCodes(record);
    const fault = place.fields.take(record);
    if (fault !== undefined) this.#find(`record ${number} (${record.requestId}) ${fault}`);
  }

  #takeCodes({ changes, requestId }: Logged): void {
    const numberOf = (name: string) => changes.find(({ field }) => field === name)!.newValue as number;
    const [first, last] = [numberOf('firstMarkerCode'), numberOf('lastMarkerCode')];
    if (first !== this.#place.nextCode) {
      this.#find(`${requestId} was given codes from ${first} on, the next was ${this.#place.nextCode}`);
    }
    this.#place.nextCode = last + 1;
    this.#place.codes.push([first, last]);
    this.#lastAllocated = Math.max(this.#lastAllocated, last);
  }

  #takeRewind({ sequenceNumber, changes }: Logged, isNew: boolean): void {
    const [last, next] = ['lastSequenceNumber', 'nextMarkerCode'].map((name) =>
      changes.find(({ field }) => field === name),
    );
    const place = this.#place;
    if (isNew && !this.isPutBack) {
      // Known (see README): who declares it once more cannot know of the one that took effect late.
      const isTwice = place.action === 'STORE_REWOUND' && this.isUnseen;
      if (!isTwice) this.#find('a rewind was declared where there was none');
      this.declaredTwice += 1;
    }
    if (isNew) this.isPutBack = false;
    if (last!.oldValue !== sequenceNumber - 1 || last!.newValue !== place.number) {
      this.#find(`record ${sequenceNumber} declares another gap than there is`);
    }
    const code = (next?.newValue ?? null) as number | null;
    if (code === null) return;
    if (isNew && (code <= this.#lastHandedOut || code > Math.max(FIRST_CODE, this.#lastAllocated + 1))) {
      this.#find(`a rewind goes on with code ${code}; the last was ${this.#lastHandedOut}`);
    }
    place.nextCode = code;
  }

  /** A wish takes effect by one batch. */
  #takeEffect({ requestId, hash, action }: Logged, batch: number | undefined): void {
    const of = batch ?? this.#batches.get(hash);
    if (of === undefined) this.#find(`the record of ${requestId} came from nowhere`);
    this.#batches.set(hash, of!);
    const wish = wishOf({ requestId });
    // What was accepted is carried out in the name of who asked; that is one effect of its own.
    if (wish === requestId || (wish.startsWith('accept') && action !== 'OPERATION_ACCEPTED')) return;
    const before = this.#place.effects.get(wish);
    if (before !== undefined && before !== of) this.#find(`${requestId} took effect twice`);
    this.#place.effects.set(wish, of!);
  }

  #find(what: string): never {
    throw new Finding(`${this.organization}: ${what}`);
  }
}
