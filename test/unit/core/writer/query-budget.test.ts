import { expect, it, vi } from 'vitest';
import { QueryBudget } from '../../../../src/core/writer/query-budget.ts';

/** A budget, and how often it called its object. */
function budgetOf(topUp: (budget: QueryBudget) => Promise<void>) {
  const calls = { count: 0 };
  const budget: QueryBudget = new QueryBudget(() => {
    calls.count += 1;
    return topUp(budget);
  });
  return { budget, calls };
}

it.each([
  { batches: [1_000], calls: 0, name: 'the whole budget in one batch' },
  { batches: [999, 1], calls: 0, name: 'the whole budget in two batches' },
  { batches: [1_000, 1], calls: 1, name: 'one query too many' },
  { batches: [600, 600, 600], calls: 2, name: 'batches that fit only alone' },
  { batches: Array(30).fill(100), calls: 2, name: 'three budgets' },
])('an object calls itself $calls times for $name', async ({ batches, calls: expected }) => {
  const { budget, calls } = budgetOf(async (own) => own.renew());
  for (const queries of batches) await budget.spend(queries);
  expect(calls.count).toBe(expected);
});

it('an object does not call itself while events arrive', async () => {
  const { budget, calls } = budgetOf(async (own) => own.renew());
  for (let event = 0; event < 10; event += 1) {
    budget.renew();
    await budget.spend(900);
  }
  expect(calls.count).toBe(0);
});

it('an object that cannot call itself leaves the decision to D1', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { budget, calls } = budgetOf(() => Promise.reject(new Error('overloaded')));
  await budget.spend(1_000);
  await budget.spend(1);
  expect(calls.count).toBe(1);
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('overloaded'));
  warned.mockRestore();
});
