import { resolve } from 'node:path';

/** Where Node keeps scripts as it compiled them (NODE_COMPILE_CACHE), for processes that load many megabytes of them. */
export const COMPILED = resolve(import.meta.dirname, '../../node_modules/.cache/node');
