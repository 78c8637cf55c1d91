import { beforeEach, describe, expect, it } from 'vitest';
// @ts-expect-error: scripts of pages have no types
import { Readings } from '../../../../src/web/console/assets/modules/gate-readings.js';

const [QR, BARCODE] = ['1000000048', '(00)395212349000000123'];
const LISTED = { pallet: 'P', standing: 'LISTED' };
const UNKNOWN = { pallet: undefined, standing: 'UNCHECKED' };
const LOADED = { outcome: 'LOADED', pallet: 'P' };

let readings: {
  isRepeated(text: string, found: object, at: number): boolean;
  add(key: string, text: string, found: object, at: number): void;
  touch(text: string, at: number): void;
  isSame(key: string, result: object): boolean;
  forget(): void;
};
beforeEach(() => {
  readings = new Readings();
});
/** Whether a reading is sent. */
function read(key: string, text: string, found: object, at: number): boolean {
  if (readings.isRepeated(text, found, at)) return false;
  readings.add(key, text, found, at);
  return true;
}

describe('readings of one pallet at one page', () => {
  it('both codes of a label within five seconds are one reading, and a later one is another', () => {
    expect(read('a', QR, LISTED, 0)).toBe(true);
    expect(read('b', BARCODE, LISTED, 900)).toBe(false);
    expect(readings.isSame('a', LOADED)).toBe(false);
    expect(read('c', QR, { pallet: 'P', standing: 'ABOARD' }, 5_000)).toBe(false);
    expect(read('d', BARCODE, { pallet: 'P', standing: 'ABOARD' }, 10_000)).toBe(true);
  });

  it('another pallet within five seconds is another reading', () => {
    expect(read('a', QR, LISTED, 0)).toBe(true);
    expect(read('b', '1000000049', { pallet: 'Q', standing: 'LISTED' }, 100)).toBe(true);
  });

  it('codes of a pallet that the page does not know are one reading as soon as the service names the pallet', () => {
    expect(read('a', QR, UNKNOWN, 0)).toBe(true);
    expect(read('b', BARCODE, UNKNOWN, 200)).toBe(true);
    expect(readings.isSame('a', LOADED)).toBe(false);
    expect(readings.isSame('b', { ...LOADED, repeated: true })).toBe(true);
    expect(read('c', BARCODE, UNKNOWN, 3_000)).toBe(false);
    expect(read('d', QR, UNKNOWN, 9_000)).toBe(true);
    expect(readings.isSame('d', { ...LOADED, repeated: true })).toBe(false);
  });

  it('scans that waited long for the connection are compared by the times of the readings', () => {
    read('a', QR, UNKNOWN, 0);
    read('b', BARCODE, UNKNOWN, 60_000);
    expect(readings.isSame('a', LOADED)).toBe(false);
    expect(readings.isSame('b', LOADED)).toBe(false);
  });

  it('a code that stays in the picture of the camera extends the reading', () => {
    read('a', QR, LISTED, 0);
    readings.touch(QR, 8_000);
    expect(read('b', BARCODE, LISTED, 9_000)).toBe(false);
  });

  it('a reading counts again after a refusal, a question, and an action of a person', () => {
    for (const result of [{ refused: 'No.' }, { choices: [] }, { outcome: 'SUPERSEDED', pallet: 'P' }]) {
      read('a', QR, LISTED, 0);
      expect(readings.isSame('a', result)).toBe(false);
      expect(read('b', QR, LISTED, 100)).toBe(true);
      readings.forget();
    }
    read('a', QR, LISTED, 0);
    readings.forget();
    expect(read('b', QR, LISTED, 100)).toBe(true);
  });

  it('a pallet that was read before Start counts after it', () => {
    read('a', QR, { pallet: 'P', standing: 'READY' }, 0);
    readings.isSame('a', { outcome: 'NO_ACTIVE_MANIFEST', pallet: 'P' });
    expect(read('b', BARCODE, { pallet: 'P', standing: 'READY' }, 1_000)).toBe(false);
    expect(read('c', QR, LISTED, 2_000)).toBe(true);
  });
});
