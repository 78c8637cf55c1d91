import type { Logged } from './log-check.ts';

/** Fields of which a record tells what they were before: that has to be what the record before it made of them. */
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
};

/** What a field is that no record has told of; null for others. */
const AT_FIRST: Record<string, unknown> = {
  deleted: false,
  damaged: false,
  trackStatus: 'ACTIVE',
  loadingStatus: 'NOT_LOADED',
  // Of a printing batch; all others tell of it when they are made.
  status: 'CREATED',
};

/** Where a status may go. */
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

/** The state of everything, as the log tells it: each decision was made on what the one before it left. */
export class Fields {
  readonly #values = new Map<string, unknown>();
  readonly #assets = new Map<string, Set<string>>();
  /** Operations: what came of each so far. */
  readonly operations = new Map<string, { total: number; done: number; isOver: boolean }>();

  valueOf(entityUuid: string, field: string): unknown {
    return this.#values.get(`${entityUuid} ${field}`) ?? AT_FIRST[field] ?? null;
  }

  assetsOf(manifestUuid: string): ReadonlySet<string> {
    return this.#assets.get(manifestUuid) ?? new Set();
  }

  /** Take a record. @returns what is wrong with it. */
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
      // An organization is made in the operator's log.
      const isMade = !this.#values.has(key) && (oldValue === null || entityType === 'ORGANIZATION');
      if (!isMade && JSON.stringify(before) !== JSON.stringify(oldValue)) {
        return `takes ${field} for ${JSON.stringify(oldValue)}, it was ${JSON.stringify(before)}`;
      }
      const moves = MOVES[field] ?? MOVES[`${entityType} ${field}`];
      if (moves && !isMade && !moves[String(before)]?.includes(String(newValue))) {
        return `moves ${field} from ${before} to ${newValue}`;
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
    if (!state) return 'carries out what was never accepted';
    if (state.isOver) return 'carries out what was finished';
    const done = numberOf('succeededCount') + numberOf('failedCount');
    if (done <= state.done || done > state.total) return `comes from ${state.done} items to ${done}`;
    state.done = done;
    state.isOver = action === 'OPERATION_COMPLETED';
    if (state.isOver !== (done === state.total)) return `ends with ${done} of ${state.total} items`;
    return undefined;
  }
}
