import fc from 'fast-check';
import { expect, it } from 'vitest';
import { givesWay, type ListenerSlot } from '../../../../src/core/writer/listeners.ts';

const tally = (places: readonly ListenerSlot[]) => {
  const counts = new Map<string, number>();
  for (const { user } of places) counts.set(user, (counts.get(user) ?? 0) + 1);
  return counts;
};

const user = fc.constantFrom(...'abcdefgh');

it('a listener slot is taken from the user with the most slots, and never unfairly', () => {
  fc.assert(
    fc.property(fc.array(user, { minLength: 1, maxLength: 40 }), user, (users, newcomer) => {
      const places = users.map((holder, since) => ({ user: holder, since }));
      const before = tally(places);
      const own = before.get(newcomer) ?? 0;
      const given = givesWay(places, newcomer);
      if (given === undefined) {
        expect([own, Math.max(...before.values())]).toEqual([0, 1]);
        return;
      }
      // It is the oldest place of its user.
      expect(places.find((place) => place.user === given.user)).toBe(given);
      if (given.user === newcomer) {
        for (const [other, held] of before) if (other !== newcomer) expect(held).toBeLessThanOrEqual(own + 1);
        return;
      }
      expect(before.get(given.user)).toBe(Math.max(...before.values()));
      expect(before.get(given.user)! - 1).toBeGreaterThanOrEqual(own + 1);
    }),
    { numRuns: 2_000 },
  );
});

it('users who reconnect repeatedly end with shares that differ by one at most', () => {
  fc.assert(
    fc.property(fc.array(user, { minLength: 12, maxLength: 12 }), (users) => {
      let places: ListenerSlot[] = users.map((holder, since) => ({ user: holder, since }));
      const everybody = [...'abcdefgh'];
      let pushed = 0;
      for (let turn = 0; turn < 400; turn += 1) {
        const newcomer = everybody[turn % everybody.length]!;
        const given = givesWay(places, newcomer);
        if (!given) continue;
        if (turn >= 200 && given.user !== newcomer) pushed += 1;
        places = [...places.filter((place) => place !== given), { user: newcomer, since: 100 + turn }];
      }
      const held = everybody.map((name) => tally(places).get(name) ?? 0);
      expect([places.length, Math.max(...held) - Math.min(...held) <= 1, pushed]).toEqual([12, true, 0]);
    }),
    { numRuns: 200 },
  );
});
