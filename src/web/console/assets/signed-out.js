// Nobody is signed in: remove the pages of gates that were kept to work without a connection.
globalThis.caches?.delete('gate-1').catch(() => undefined);
