import type { ScryptCost } from '../../src/access/user/password-cost.ts';

/** A thousandth of the cost in the service. Otherwise hashing would dominate the tests of users. */
export const COST: ScryptCost = { ln: 7, r: 8, p: 1 };
