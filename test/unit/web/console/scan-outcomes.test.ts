import { describe, expect, it } from 'vitest';
import { SCAN_OUTCOMES } from '../../../../src/dispatch/loading/table.ts';
import { gate } from '../../../../src/messages/en/gate.ts';
import { scripts } from '../../../../src/messages/en/scripts.ts';
// @ts-expect-error: scripts of pages have no types
import { OUTCOMES, STANDINGS, soundOf } from '../../../../src/web/console/assets/modules/scan-outcomes.js';
// @ts-expect-error: scripts of pages have no types
import { RESULTS } from '../../../../src/web/console/assets/modules/tones.js';

describe('results of scans', () => {
  it('each outcome of a scan has a colour, a line, a sound and a text', () => {
    for (const outcome of SCAN_OUTCOMES) {
      expect([outcome, OUTCOMES[outcome]]).toMatchObject([
        outcome,
        { tone: expect.any(String), line: expect.any(String) },
      ]);
      expect([outcome, RESULTS[soundOf({ outcome })]]).toEqual([outcome, expect.any(Array)]);
      expect(gate).toHaveProperty([`scan.${outcome}`]);
    }
    expect(soundOf({ outcome: 'WORKER' })).toBe(undefined);
    expect(Object.keys(OUTCOMES).toSorted()).toEqual([...SCAN_OUTCOMES, 'WORKER'].toSorted());
  });

  it('a waiting scan sounds, and a pallet that is not on the list sounds and looks unlike a listed pallet', () => {
    for (const [standing, { sound, text }] of Object.entries<{ sound: string; text: string }>(STANDINGS)) {
      expect([standing, RESULTS[sound]]).toEqual([standing, expect.any(Array)]);
      expect(scripts).toHaveProperty([text]);
    }
    const { LISTED, NOT_LISTED, UNCHECKED } = STANDINGS;
    for (const name of ['tone', 'line', 'sound', 'text'])
      expect(new Set([LISTED[name], NOT_LISTED[name], UNCHECKED[name]]).size).toBe(3);
  });
});
