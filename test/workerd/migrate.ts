import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

const bindings = env as unknown as { DB: D1Database; MIGRATIONS: D1Migration[] };

// One runtime plays many files, as a new one for each would take longer than most of them. Each begins with empty stores:
// no rows, files, messages, alarms or objects of another. What modules remember stays, and goes by names that are drawn.
await reset();
await applyD1Migrations(bindings.DB, bindings.MIGRATIONS);
