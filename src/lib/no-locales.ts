/** Stands in the bundle for the languages of zod that nobody is answered in: see `alias` in wrangler.toml. */
export {};
