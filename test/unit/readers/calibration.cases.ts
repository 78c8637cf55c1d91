import { CalibrationFile } from '../../../src/dispatch/calibration/objects.ts';
import { CALIBRATION_BYTES_MAXIMUM } from '../../../src/dispatch/calibration/schema.ts';
import { casesOf } from './case.ts';

/** The size of the parts in which a body arrives, in bytes. */
const PART_BYTES = 64 * 1024;

const filled = (part: string): Buffer => Buffer.alloc(CALIBRATION_BYTES_MAXIMUM, part);

/** An object whose members all have different names. */
function differentNames(): Buffer {
  const bytes = Buffer.alloc(CALIBRATION_BYTES_MAXIMUM, ' ');
  bytes[0] = '{'.charCodeAt(0);
  for (let at = 1; at < bytes.length - 20; ) at += bytes.write(`"${at}":0,`, at);
  return bytes;
}

export default casesOf<Buffer>({
  reader: 'calibration',
  needed: { levels: 'open arrays' },
  inputs: {
    'open arrays': () => filled('['),
    'open objects': () => filled('{"":'),
    'empty arrays': () => filled('[],'),
    'different names': differentNames,
    numbers: () => filled('1,'),
    'one long text': () => filled('é'),
    blanks: () => filled(' '),
  },
  read(bytes) {
    const file = new CalibrationFile();
    for (let at = 0; at < bytes.length; at += PART_BYTES) file.push(bytes.subarray(at, at + PART_BYTES));
    file.end();
    return file.fault;
  },
});
