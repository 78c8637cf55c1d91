// The user is signed out: delete the gate pages that were cached for use without a connection.
globalThis.caches?.delete('gate-1').catch(() => undefined);
