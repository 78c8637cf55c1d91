import type { BoardLoad } from './rules.ts';

/** How forms name a shipment or manifest. */
export const loadValue = ({ kind, uuid }: Pick<BoardLoad, 'kind' | 'uuid'>): string => `${kind}:${uuid}`;
