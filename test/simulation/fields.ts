import type { Logged } from './logged.ts';

/** Fields whose old value is in each record. It must equal the new value of the record before. */
const FOLLOWED: Record<string, RegExp> = {
  MANIFEST: /^(manifestStatus|gate|deleted|shipment|customFields\..+)$/,
  SHIPMENT: /^(status|gate|notes|deleted|customFields\..+)$/,
  TRACK: /^(trackStatus|damaged|deleted|markerCode)$/,
  ASSET_LOADING: /^(loadingStatus|gate)$/,
  CLIENT: /^(displayName|externalId|deleted)$/,
  ORGANIZATION: /^(name|slug|dispatchStrategy|markerAllocationMaximum|requestsPerMinute)$/,
  PRINTING_BATCH: /^(status|deleted)$/,
  WEBHOOK: /^(name|url|eventTypes|active|deleted)$/,
  ALERT: /^(status)$/,
  GATE: /^(name|deleted)$/,
  PHOTO: /^(kind|sha256)$/,
};

/** The value of a field before its first record; null for other fields. */
const AT_FIRST: Record<string, unknown> = {
  deleted: false,
  damaged: false,
  trackStatus: 'ACTIVE',
  loadingStatus: 'NOT_LOADED',
  // This is the first status of a printing batch. All other records name their status when they are
  // created.
  status: 'CREATED',
};

/** The permitted changes of each status. */
const MOVES: Record<string, Record<string, readonly string[]>> = {
  manifestStatus: {
    PLANNED: ['TO_DO', 'IN_PROGRESS', 'CANCELLED'],
    TO_DO: ['PLANNED', 'IN_PROGRESS', 'CANCELLED'],
    IN_PROGRESS: ['PLANNED', 'COMPLETED', 'CANCELLED'],
  },
  'SHIPMENT status': {
    TO_DO: ['IN_PROGRESS', 'CANCELLED'],
    IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  },
  'PRINTING_BATCH status': {
    CREATED: ['IN_PROGRESS', 'COMPLETED', 'CANCELLED'],
    IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  },
  'ALERT status': { OPEN: ['RESOLVED'] },
};

/**
 * The state of all fields according to the log. It shows that each decision used the state after the one
 * before.
 */
export class Fields {
  readonly #values = new Map<string, unknown>();
  readonly #assets = new Map<string, Set<string>>();
  /** Progress of each operation. */
  readonly operations = new Map<string, { total: number; done: number; isOver: boolean }>();

  valueOf(entityUuid: string, field: string): unknown {
    return this.#values.get(`${entityUuid} ${field}`) ?? AT_FIRST[field] ?? null;
  }

  assetsOf(manifestUuid: string): ReadonlySet<string> {
    return this.#assets.get(manifestUuid) ?? new Set();
  }

  /** Apply a record. @returns its fault, if any. */
  take(record: Logged): string | undefined {
    const { entityType, entityUuid, changes } = record;
    if (entityType === 'OPERATION') return this.#takeOperation(record);
    for (const { field, oldValue, newValue } of changes) {
      if (entityType === 'MANIFEST' && field.startsWith('assets.')) {
        const fault = this.#takeAssets(
          entityUuid,
          (oldValue ?? []) as string[],
          (newValue ?? []) as string[],
        );
        if (fault) return fault;
      }
      if (!FOLLOWED[entityType]?.test(field)) continue;
      const key = `${entityUuid} ${field}`;
      const before = this.#values.has(key) ? this.#values.get(key) : (AT_FIRST[field] ?? null);
      // The creation of an organization is in the operator's log.
      const isMade = !this.#values.has(key) && (oldValue === null || entityType === 'ORGANIZATION');
      if (!isMade && JSON.stringify(before) !== JSON.stringify(oldValue)) {
        return `has ${JSON.stringify(oldValue)} as old value of ${field}, but it was ${JSON.stringify(before)}`;
      }
      const moves = MOVES[field] ?? MOVES[`${entityType} ${field}`];
      if (moves && !isMade && !moves[String(before)]?.includes(String(newValue))) {
        return `changes ${field} from ${before} to ${newValue}`;
      }
      this.#values.set(key, newValue);
    }
    return undefined;
  }

  #takeAssets(manifest: string, removed: string[], added: string[]): string | undefined {
    const held = this.#assets.get(manifest) ?? new Set();
    this.#assets.set(manifest, held);
    for (const wmsId of removed) if (!held.delete(wmsId)) return `removes ${wmsId}, which was not there`;
    for (const wmsId of added) {
      if (held.has(wmsId)) return `adds ${wmsId}, which was there`;
      held.add(wmsId);
    }
    return undefined;
  }

  #takeOperation({ action, entityUuid, changes }: Logged): string | undefined {
    const numberOf = (name: string) => changes.find(({ field }) => field === name)?.newValue as number;
    const state = this.operations.get(entityUuid);
    if (action === 'OPERATION_ACCEPTED') {
      if (state) return 'accepts an operation twice';
      this.operations.set(entityUuid, { total: numberOf('totalCount'), done: 0, isOver: false });
      return undefined;
    }
    if (!state) return 'runs an operation that was never accepted';
    if (state.isOver) return 'runs an operation that was finished';
    const done = numberOf('succeededCount') + numberOf('failedCount');
    if (done <= state.done || done > state.total)
      return `changes the progress from ${state.done} to ${done} items`;
    state.done = done;
    state.isOver = action === 'OPERATION_COMPLETED';
    if (state.isOver !== (done === state.total)) return `ends with ${done} of ${state.total} items`;
    return undefined;
  }
}
