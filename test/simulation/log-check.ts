import { Fields } from './fields.ts';
import { type Logged, wishOf } from './logged.ts';
import type { Row } from './store.ts';
import { Finding, type World } from './world.ts';

const FIRST_HASH = '0'.repeat(64);
const FIRST_CODE = 1_000;

/** The position of an organization's log in the store. */
interface Place {
  number: number;
  hash: string;
  /** The action of the last record. */
  action: string | undefined;
  event: number;
  nextCode: number;
  /** The codes of each allocation, and its wish. */
  codes: [first: number, last: number, wish: string][];
  /** The batch in which each wish took effect. */
  effects: Map<string, number>;
  fields: Fields;
  /** The loading records whose last change was a reading, and their WMS ids. */
  scanned: Map<string, string | null>;
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
  scanned: new Map(),
});

/**
 * Follows the log of an organization, commit by commit. Checks numbers, hash chain, codes, effects and
 * states.
 */
export class LogCheck {
  readonly organization: string;
  readonly #world: World;
  #place = start();
  /**
   * Across all restores: the hash of each record and the uuid of each event by number, and the batch of
   * each record. Only new commits are checked for reused numbers. A restore may bring back records that no
   * caller knew of.
   */
  readonly #hashes = new Map<number, string>();
  readonly #events = new Map<number, string>();
  readonly #batches = new Map<string, number>();
  /** The numbers of the last record and event of each wish. Its caller may learn them from the answer. */
  readonly #made = new Map<string, { number: number; event: number }>();
  /** The last numbers that a caller may know. */
  #known = { number: 0, event: 0 };
  #lastHandedOut = 0;
  #lastAllocated = 0;
  /**
   * For each webhook: the last event before it was created, and each filter of event types that it ever
   * had. An empty filter means all types.
   */
  readonly webhooks = new Map<string, { position: number; filters: string[][] }>();
  /** Whether there is a commit that no living object knows, with no later event that makes one look. */
  isUnseen = false;
  /** Whether the store was restored and the log has not declared the rewind yet. */
  isPutBack = false;
  /** The loading records of pallets at the last look, with their WMS ids, and the last number of the log then. */
  listed: { records: ReadonlyMap<string, string>; number: number } | undefined;
  /** The wishes whose codes a restore took away before any watermark knew them. */
  readonly forgotten = new Set<string>();
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

  get codes(): Readonly<Place>['codes'] {
    return this.#place.codes;
  }

  /** The caller of a wish has received the answer. */
  answered(wish: string): void {
    const made = this.#made.get(wish);
    if (made) this.#learn(made);
  }

  #learn({ number, event }: { number: number; event: number }): void {
    this.#known = { number: Math.max(this.#known.number, number), event: Math.max(this.#known.event, event) };
  }

  handedOut(code: number): void {
    this.#lastHandedOut = Math.max(this.#lastHandedOut, code);
  }

  /**
   * Read the log again after a restore. Callers learn nothing more of lost commits. `knownCode` is the last code that
   * the durable watermark knows.
   */
  async putBack(knownCode: number | null): Promise<void> {
    this.isPutBack = true;
    const lost = this.#place.codes.filter(([, last]) => last > (knownCode ?? 0));
    for (const [, , wish] of lost) this.forgotten.add(wish);
    this.#made.clear();
    this.listed = undefined;
    this.#place = start();
    await this.advance(undefined);
  }

  /** Check the new records and events. `batch` is undefined after a restore. @returns the records. */
  async advance(batch: number | undefined): Promise<Logged[]> {
    const { store } = await this.#world.stores.homeOf(this.organization);
    const rows = await store.read(
      `SELECT sequence_number AS "sequenceNumber", hash, previous_hash AS "previousHash", action,
        entity_type AS "entityType", entity_uuid AS "entityUuid", entity_external_id AS "entityExternalId", request_id AS "requestId", changes
      FROM audit_log WHERE organization_uuid = ? AND sequence_number > ? ORDER BY sequence_number`,
      this.organization,
      this.#place.number,
    );
    const events = await store.read(
      `SELECT sequence_number AS "sequenceNumber", uuid, event_type AS "eventType" FROM event_log
      WHERE organization_uuid = ? AND sequence_number > ? ORDER BY sequence_number`,
      this.organization,
      this.#place.event,
    );
    const isNew = batch !== undefined;
    for (const event of events) this.#takeEvent(event, isNew);
    const records = rows.map(
      (row) => ({ ...row, changes: JSON.parse(row['changes'] as string) }) as unknown as Logged,
    );
    for (const record of records) {
      this.#takeRecord(record, isNew);
      this.#takeEffect(record, batch);
      if (isNew && record.entityType === 'WEBHOOK') await this.#takeWebhook(record);
    }
    return records;
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
    if (isNew && before !== undefined && before !== uuid && number <= this.#known.event) {
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
    if (isNew && before !== undefined && before !== hash && number <= this.#known.number) {
      this.#find(`the number of record ${number} is used again`);
    }
    this.#hashes.set(number, hash);
    place.number = number;
    place.hash = hash;
    place.action = record.action;
    const made = { number, event: place.event };
    this.#made.set(wishOf(record), made);
    // A rewind is in no answer, but any caller may read about it at once.
    if (isNew && record.action === 'STORE_REWOUND') this.#learn(made);
    if (record.action === 'MARKERS_ALLOCATED') this.#takeCodes(record);
    if (record.entityType === 'ASSET_LOADING') {
      if (wishOf(record).startsWith('recordScans'))
        place.scanned.set(record.entityUuid, record.entityExternalId);
      else place.scanned.delete(record.entityUuid);
    }
    const fault = place.fields.take(record);
    if (fault !== undefined) this.#find(`record ${number} (${record.requestId}) ${fault}`);
  }

  #takeCodes({ changes, requestId }: Logged): void {
    const numberOf = (name: string) => changes.find(({ field }) => field === name)!.newValue as number;
    const [first, last] = [numberOf('firstMarkerCode'), numberOf('lastMarkerCode')];
    if (first !== this.#place.nextCode) {
      this.#find(`${requestId} was given codes from ${first}, but the next code was ${this.#place.nextCode}`);
    }
    this.#place.nextCode = last + 1;
    this.#place.codes.push([first, last, wishOf({ requestId })]);
    this.#lastAllocated = Math.max(this.#lastAllocated, last);
  }

  #takeRewind({ sequenceNumber, changes }: Logged, isNew: boolean): void {
    const [last, next] = ['lastSequenceNumber', 'nextMarkerCode'].map((name) =>
      changes.find(({ field }) => field === name),
    );
    const place = this.#place;
    if (isNew && !this.isPutBack) {
      // Known (see README): the second object cannot know that the first declaration took effect late.
      const isTwice = place.action === 'STORE_REWOUND' && this.isUnseen;
      if (!isTwice) this.#find('a rewind was declared, but the store was not restored');
      this.declaredTwice += 1;
    }
    if (isNew) this.isPutBack = false;
    if (last!.oldValue !== sequenceNumber - 1 || last!.newValue !== place.number) {
      this.#find(`record ${sequenceNumber} declares a gap that does not match the log`);
    }
    const code = (next?.newValue ?? null) as number | null;
    if (code === null) return;
    if (isNew && (code <= this.#lastHandedOut || code > Math.max(FIRST_CODE, this.#lastAllocated + 1))) {
      this.#find(`a rewind continues with code ${code}, but the last issued code was ${this.#lastHandedOut}`);
    }
    place.nextCode = code;
  }

  /** A wish takes effect in one batch. */
  #takeEffect({ requestId, hash, action }: Logged, batch: number | undefined): void {
    const of = batch ?? this.#batches.get(hash);
    if (of === undefined) this.#find(`the record of ${requestId} came in no known batch`);
    this.#batches.set(hash, of!);
    const wish = wishOf({ requestId });
    // The execution of an accepted operation names the wish, too. It is an effect of its own.
    if (wish === requestId || (wish.startsWith('accept') && action !== 'OPERATION_ACCEPTED')) return;
    const before = this.#place.effects.get(wish);
    if (before !== undefined && before !== of) this.#find(`${requestId} took effect twice`);
    this.#place.effects.set(wish, of!);
  }

  #find(what: string): never {
    throw new Finding(`${this.organization}: ${what}`);
  }
}
