import { describe, expect, it } from 'vitest';
import { SCAN_OUTCOMES } from '../../../../src/dispatch/loading/table.ts';
import { gate } from '../../../../src/messages/en/gate.ts';
import { scripts } from '../../../../src/messages/en/scripts.ts';
// @ts-expect-error: scripts of pages have no types
import * as looks from '../../../../src/web/console/assets/modules/scan-outcomes.js';
// @ts-expect-error: scripts of pages have no types
import { RESULTS } from '../../../../src/web/console/assets/modules/tones.js';
import { MESSAGES } from '../../../messages.ts';

const { OUTCOMES, STANDINGS, soundOf, styleOf } = looks;

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

  it('a pallet that is already loaded has a colour and a sound of its own, online and offline', () => {
    const again = styleOf({ outcome: 'LOADED', repeated: true });
    expect(STANDINGS.ABOARD).toMatchObject(again);
    const others = [...Object.values(OUTCOMES), STANDINGS.LISTED, STANDINGS.NOT_LISTED, STANDINGS.READY];
    for (const name of ['tone', 'sound'] as const)
      expect(others.map((style) => (style as Record<string, string>)[name])).not.toContain(again[name]);
    expect(RESULTS[again.sound]).not.toEqual(RESULTS.ok);
  });

  it('the answer before Start is not the one for a gate without work', () => {
    const [ready, idle] = [true, false].map((one) => styleOf({ outcome: 'NO_ACTIVE_MANIFEST', ready: one }));
    expect(STANDINGS.READY).toMatchObject(ready!);
    expect(ready!.tone).not.toBe(idle!.tone);
    // The answer names the button that is on the page.
    for (const [language, texts] of Object.entries(MESSAGES)) {
      expect([language, texts['scan.startFirst']]).toEqual([
        language,
        expect.stringContaining(texts['gate.start']),
      ]);
      expect(texts['tablet.startFirst']).toBe(texts['scan.startFirst']);
    }
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
