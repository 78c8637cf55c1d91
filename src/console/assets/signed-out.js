// Nobody is signed in: pages of gates that were kept for a time without connection are nobody's to see, or to work on.
globalThis.caches?.delete('gate-1').catch(() => undefined);
