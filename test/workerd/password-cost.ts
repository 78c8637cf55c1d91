import type { ScryptCost } from '../../src/access/user/password-cost.ts';

/** A thousandth of what a hash costs the service: most of what tests of people would do is hash. */
export const COST: ScryptCost = { ln: 7, r: 8, p: 1 };
