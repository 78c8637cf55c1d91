import { describe, expect, it } from 'vitest';
import { calibrationTag, conditionsHold, objectKeyOf } from '../../../../src/dispatch/calibration/rules.ts';

const tag = calibrationTag('a'.repeat(64));

describe('the conditions of a write', () => {
  it.each<[string | null, string | null, boolean, boolean]>([
    // If-Match, If-None-Match, whether they hold if the file exists, whether they hold without a file
    [null, null, true, true],
    ['*', null, true, false],
    [tag, null, true, false],
    [`"x", ${tag}`, null, true, false],
    [`W/${tag}`, null, true, false],
    ['"x"', null, false, false],
    ['', null, false, false],
    [null, '*', false, true],
    [null, tag, false, true],
    [null, `W/${tag}`, false, true],
    [null, '"x"', true, true],
    [tag, '*', false, false],
    [tag, '"x"', true, false],
  ])(
    'a calibration write follows If-Match: %s, If-None-Match: %s',
    (ifMatch, ifNoneMatch, forFile, forNone) => {
      expect(conditionsHold(tag, { ifMatch, ifNoneMatch })).toBe(forFile);
      expect(conditionsHold(null, { ifMatch, ifNoneMatch })).toBe(forNone);
    },
  );
});

describe('the key of an object', () => {
  it('an object key differs by organization, camera, type and upload, and is always short', () => {
    const name = { hardwareId: 'a', type: 'COLOR' } as const;
    const keys = [
      objectKeyOf('o', name, 'v'),
      objectKeyOf('p', name, 'v'),
      objectKeyOf('o', { ...name, hardwareId: 'b' }, 'v'),
      objectKeyOf('o', { ...name, type: 'INTRINSIC' }, 'v'),
      objectKeyOf('o', name, 'w'),
      objectKeyOf('o', { ...name, hardwareId: '..' }, 'v'),
      objectKeyOf('o', { ...name, hardwareId: 'x'.repeat(128) }, 'v'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^calibration\/[0-9a-f]{64}$/);
    expect(objectKeyOf('o', name, 'v')).toBe(keys[0]);
  });
});
