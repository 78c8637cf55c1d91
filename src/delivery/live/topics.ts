import { lastingSessionsQuery } from '../../access/session/store.ts';
import type { Topics } from '../../core/writer/listeners.ts';
import { lastingTabletsQuery } from '../../dispatch/tablet/store.ts';
import { topicsOf } from './rules.ts';

/** The topics that listening pages are notified of, and how long their sessions last. */
export const topics: Topics = {
  topicsOf,
  async lasting(database, sessions) {
    const { users, tablets } = await database.ask({
      users: lastingSessionsQuery(database, sessions),
      tablets: lastingTabletsQuery(database, sessions),
    });
    return new Set([...users, ...tablets].map(({ uuid }) => uuid));
  },
};
