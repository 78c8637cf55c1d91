/** Replaces zod's locales in the bundle, which are not used: see `alias` in wrangler.toml. */
export {};
