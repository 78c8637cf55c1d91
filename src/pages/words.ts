import type { LoadingStatus } from '../manifest/asset-table.ts';
import type { MANIFEST_STATUSES } from '../manifest/table.ts';
import type { Actor } from '../writer/chain.ts';
import type { Problem } from './rules.ts';

// What public pages and documents say, in words of the dock.

export const KIND_WORDS = { SHIPMENT: 'Shipment', MANIFEST: 'Manifest' } as const;

export const LOADING_WORDS: Record<LoadingStatus, string> = {
  LOADED: 'Loaded',
  NOT_LOADED: 'Not loaded',
  UNLOADED: 'Unloaded',
  OFFLOADED: 'Offloaded',
  WRONGLY_LOADED: 'Wrongly loaded',
  UNKNOWN_LOADING: 'Unknown marker',
};

export const MANIFEST_WORDS: Record<(typeof MANIFEST_STATUSES)[number], string> = {
  PLANNED: 'Planned',
  TO_DO: 'To do',
  IN_PROGRESS: 'In progress',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
};

/** What a problem is called, and what it means for whoever stands at the truck. */
export const PROBLEM_WORDS: Record<Problem, { title: string; meaning: string }> = {
  WRONGLY_LOADED: { title: 'Wrongly loaded', meaning: 'On the truck, but belongs to no order of it.' },
  UNKNOWN_LOADING: { title: 'Unknown marker', meaning: 'On the truck; nobody knows its marker.' },
  CANCELLED_LOADED: { title: 'Loaded, but cancelled', meaning: 'On the truck; its manifest was cancelled.' },
  NOT_LOADED: { title: 'Not loaded', meaning: 'Planned, but left behind.' },
  UNLOADED: { title: 'Unloaded', meaning: 'Taken off the truck again.' },
  DAMAGED: { title: 'Damaged', meaning: 'Marked as damaged.' },
};

/** Who corrected something: what kind of actor, never a name, as these pages are public. */
export const ACTOR_WORDS: Record<Actor['actorType'], string> = {
  API_KEY: 'warehouse system',
  ACCESS_TOKEN: 'device at a gate',
  USER: 'warehouse staff',
  TABLET: 'warehouse staff',
  OPERATOR: 'operator of the service',
  SYSTEM: 'this service',
};

/** What a record's pallet is called where it has no identifier. */
export const NO_IDENTIFIER = 'No identifier';

/** What became of a corrected record. */
export const newStatusWords = (status: LoadingStatus | null): string =>
  status === null ? 'Removed' : LOADING_WORDS[status];

const GROUPS = /\B(?=(\d{3})+$)/g;

/** A count with its digits in groups: `12,345`. */
export const groupedDigits = (count: number): string => String(count).replace(GROUPS, ',');

/** `1 pallet`, `2 pallets`. */
export const counted = (count: number, one: string, more = `${one}s`): string =>
  `${groupedDigits(count)} ${count === 1 ? one : more}`;

/** An instant in UTC to the second: `2026-11-21 08:15:30 UTC`. */
export const utcText = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
