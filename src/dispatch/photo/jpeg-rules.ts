import { Buffer } from 'node:buffer';
import { largest } from '../../core/lib/extremes.ts';
import { declareReader } from '../../core/lib/reader.ts';
import {
  exifOf,
  fault,
  type ImageParts,
  KeptRanges,
  orientationOf,
  PARTS_MAXIMUM,
} from './image-parts-rules.ts';

/** Numbers of colour channels that browsers show: grey, YCbCr or RGB, and CMYK. */
const CHANNELS: readonly number[] = [1, 3, 4];
/** Browsers show 8 bits of each channel. */
const PRECISION = 8;
const FACTOR_MAXIMUM = 4;
const TABLES_MAXIMUM = 4;
const BLOCK_PIXELS = 8;
/** A unit of several channels has at most so many blocks (ITU-T T.81, section B.2.3). */
const UNIT_BLOCKS_MAXIMUM = 10;
const COEFFICIENTS = 64;
/** The longest Huffman code in bits, the most symbols of a table, and the largest symbol of a DC table. */
const [CODE_BITS, SYMBOLS_MAXIMUM, DC_SYMBOL_MAXIMUM] = [16, 256, 15];
const APPROXIMATION_MAXIMUM = 13;

interface Component {
  id: number;
  /** Sampling factors. */
  across: number;
  down: number;
  /** The number of its quantization table. */
  quantization: number;
}

interface Frame {
  isProgressive: boolean;
  width: number;
  height: number;
  components: readonly Component[];
  /** The largest sampling factors. */
  across: number;
  down: number;
}

/**
 * Checks the frame, the tables and the scans of a JPEG against ITU-T T.81, as the decoders of browsers do. It decodes no
 * pixels.
 */
class JpegTables {
  #frame: Frame | undefined;
  /** The channels whose pixels were begun. */
  readonly #begun = new Set<Component>();
  readonly #quantization = new Set<number>();
  /** `class << 4 | number`. The class is 0 for DC and 1 for AC. */
  readonly #huffman = new Set<number>();
  /** Pays for each further table of a segment. */
  readonly #pay: () => void;

  constructor(pay: () => void) {
    this.#pay = pay;
  }

  /** The size of the picture in pixels. @throws `ImageFault` if a channel has no scan */
  get size(): { width: number; height: number } {
    if (!this.#frame || this.#begun.size === 0) fault('has no pixels.');
    if (this.#begun.size < this.#frame.components.length)
      fault('is truncated: a colour channel has no pixels.');
    return this.#frame;
  }

  /** Section B.2.2. */
  frame(content: Buffer, isProgressive: boolean): void {
    if (this.#frame) fault('has more than one frame header.');
    if (content.length < 6) fault('is damaged: its frame header is too short.');
    const [precision, count] = [content[0]!, content[5]!];
    if (precision !== PRECISION)
      fault(`has ${precision} bits in each colour channel. Browsers show ${PRECISION}.`);
    if (!CHANNELS.includes(count)) fault(`has ${count} colour channels. Browsers show 1, 3 or 4.`);
    if (content.length !== 6 + 3 * count) fault('is damaged: its frame header has a wrong length.');
    const components = Array.from({ length: count }, (_, index) => componentAt(content, 6 + 3 * index));
    const across = largest(components.map((component) => component.across));
    const down = largest(components.map((component) => component.down));
    const blocks = components.reduce((sum, component) => sum + component.across * component.down, 0);
    const isUneven = components.some((one) => across % one.across !== 0 || down % one.down !== 0);
    if (isUneven || (count > 1 && blocks > UNIT_BLOCKS_MAXIMUM))
      fault('has sampling factors that browsers do not show.');
    const [height, width] = [content.readUInt16BE(1), content.readUInt16BE(3)];
    if (width === 0 || height === 0) fault('has no pixels.');
    this.#frame = { isProgressive, width, height, components, across, down };
  }

  /** Section B.2.4.1. */
  quantization(content: Buffer): void {
    for (let at = 0; at < content.length; ) {
      if (at > 0) this.#pay();
      const [bits, number] = [content[at]! >> 4, content[at]! & 15];
      at += 1 + COEFFICIENTS * (bits + 1);
      if (bits > 1 || number >= TABLES_MAXIMUM || at > content.length)
        fault('is damaged: a quantization table is wrong.');
      this.#quantization.add(number);
    }
  }

  /** Section B.2.4.2. The codes of a table must fit into their lengths. */
  huffman(content: Buffer): void {
    for (let at = 0; at < content.length; ) {
      if (at > 0) this.#pay();
      const id = content[at]!;
      const symbols = at + 1 + CODE_BITS;
      const counts = content.subarray(at + 1, symbols);
      const sum = counts.reduce((total, count) => total + count, 0);
      at = symbols + sum;
      const isKnown = id >> 4 <= 1 && (id & 15) < TABLES_MAXIMUM;
      if (!isKnown || sum > SYMBOLS_MAXIMUM || at > content.length || !fits(counts))
        fault('is damaged: a Huffman table is wrong.');
      if (id >> 4 === 0 && content.subarray(symbols, at).some((symbol) => symbol > DC_SYMBOL_MAXIMUM))
        fault('is damaged: a Huffman table is wrong.');
      this.#huffman.add(id);
    }
  }

  /** Section B.2.3. @param bytes size of the coded pixels */
  scan(content: Buffer, bytes: number): void {
    const frame = this.#frame ?? fault('is damaged: a scan comes before the frame header.');
    const count = content[0] ?? 0;
    if (count < 1 || count > frame.components.length || content.length !== 4 + 2 * count)
      fault('is damaged: the header of a scan is wrong.');
    const [first = 0, last = 0, approximation = 0] = content.subarray(1 + 2 * count);
    const [high, low] = [approximation >> 4, approximation & 15];
    const coded = new Set<Component>();
    const isDc = !frame.isProgressive || first === 0;
    const isAc = !frame.isProgressive || first > 0;
    for (let at = 1; at <= 2 * count; at += 2) {
      const component = frame.components.find((each) => each.id === content[at] && !coded.has(each));
      if (!component) fault('is damaged: a scan has an unknown colour channel.');
      coded.add(component);
      if (!this.#quantization.has(component.quantization)) fault('has no quantization table for its pixels.');
      const [dc, ac] = [content[at + 1]! >> 4, content[at + 1]! & 15];
      // A scan that refines DC coefficients has no Huffman codes.
      const needsDc = isDc && (high === 0 || !frame.isProgressive);
      if ((needsDc && !this.#huffman.has(dc)) || (isAc && !this.#huffman.has(0x10 | ac)))
        fault('has no Huffman table for its pixels.');
    }
    if (frame.isProgressive) {
      const isWhole = isDc ? last === 0 : first <= last && last < COEFFICIENTS && count === 1;
      if (!isWhole || low > APPROXIMATION_MAXIMUM || (high !== 0 && high !== low + 1))
        fault('is damaged: the header of a scan is wrong.');
    }
    if (!isDc) return;
    for (const component of coded) this.#begun.add(component);
    // Each block takes at least one bit for its DC coefficient, and one for the end of its AC coefficients.
    if (bytes * 8 < blocksOf(frame, [...coded]) * (isAc ? 2 : 1)) fault('is truncated.');
  }
}

/** How many blocks of 8 × 8 samples a scan of these channels has at least. */
function blocksOf(frame: Frame, coded: readonly Component[]): number {
  const [columns, rows] = [
    frame.width / (BLOCK_PIXELS * frame.across),
    frame.height / (BLOCK_PIXELS * frame.down),
  ];
  return coded.reduce(
    (sum, { across, down }) => sum + Math.ceil(columns * across) * Math.ceil(rows * down),
    0,
  );
}

function componentAt(content: Buffer, at: number): Component {
  const [id, factors, quantization] = [content[at]!, content[at + 1]!, content[at + 2]!];
  const [across, down] = [factors >> 4, factors & 15];
  if (![across, down].every((factor) => factor >= 1 && factor <= FACTOR_MAXIMUM))
    fault('is damaged: a sampling factor is wrong.');
  return { id, across, down, quantization };
}

/** Whether codes of these lengths exist. No code consists of ones only. */
function fits(counts: Uint8Array): boolean {
  let code = 0;
  return counts.every((count, index) => {
    code = code * 2 + count;
    return code < 2 ** (index + 1);
  });
}

/** Markers (ITU-T T.81, table B.1): the second byte, after 0xFF. */
const [DHT, SOI, EOI, SOS, DQT, DRI, APP1, APP14] = [0xc4, 0xd8, 0xd9, 0xda, 0xdb, 0xdd, 0xe1, 0xee];
const [RST0, RST7] = [0xd0, 0xd7];
/** The frames that browsers decode: baseline, extended and progressive, with Huffman coding. */
const [BASELINE, EXTENDED, PROGRESSIVE] = [0xc0, 0xc1, 0xc2];
/** Segments that do not change the pixels: application segments and comments. */
const isDropped = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

const START = Buffer.from([0xff, SOI]);
const END = Buffer.from([0xff, EOI]);
const EXIF = Buffer.from('Exif\0\0');
const ADOBE = Buffer.from('Adobe');
/** The size of Adobe's segment, which names the colour transform. */
const ADOBE_BYTES = 12;

const READER = declareReader('jpeg', { parts: PARTS_MAXIMUM });

/**
 * Read a JPEG file. Application segments (EXIF, XMP, IPTC, colour profiles, previews) and comments are dropped. Two
 * things are kept. Adobe's colour transform: some pictures have wrong colours without it. The orientation from EXIF:
 * it is written to a new, small segment.
 */
export function jpegParts(file: Buffer): ImageParts {
  if (!file.subarray(0, 2).equals(START)) fault('is not a JPEG file.');
  const budget = READER.budget();
  const kept = new KeptRanges(file);
  const tables = new JpegTables(() => budget.charge('parts'));
  let [orientation, at] = [1, 2];
  for (;;) {
    budget.charge('parts');
    const { marker, content, start, end } = segmentAt(file, at);
    at = end;
    if (marker === EOI) break;
    if (isDropped(marker)) {
      if (marker === APP1 && begins(content, EXIF))
        orientation = orientationOf(content.subarray(EXIF.length));
      if (marker !== APP14 || !begins(content, ADOBE) || content.length !== ADOBE_BYTES) continue;
    } else if (marker === SOS) {
      at = endOfScan(file, end);
      tables.scan(content, at - end);
    } else if (marker === DHT) tables.huffman(content);
    else if (marker === DQT) tables.quantization(content);
    else if (marker === BASELINE || marker === EXTENDED || marker === PROGRESSIVE)
      tables.frame(content, marker === PROGRESSIVE);
    else if (marker !== DRI) fault('is not a JPEG file that browsers show.');
    else if (content.length !== 2) fault('is damaged: its restart interval is wrong.');
    kept.keep(start, at);
  }
  const { width, height } = tables.size;
  return {
    width,
    height,
    orientation,
    parts: [START, ...exifSegment(orientation), ...kept.parts, END],
    end: at,
  };
}

const begins = (bytes: Buffer, signature: Buffer): boolean =>
  bytes.subarray(0, signature.length).equals(signature);

/** The segment at a position. Bytes of 0xFF may fill the space before its marker. */
function segmentAt(file: Buffer, position: number) {
  let start = position;
  while (file[start] === 0xff && file[start + 1] === 0xff) start += 1;
  const marker = file[start + 1];
  if (marker === undefined) fault('is truncated.');
  if (file[start] !== 0xff) fault('is damaged.');
  if (marker === EOI) return { marker, content: file.subarray(0, 0), start, end: start + 2 };
  const length = start + 4 <= file.length ? file.readUInt16BE(start + 2) : 0;
  const end = start + 2 + length;
  if (end > file.length || length < 2) fault('is truncated.');
  return { marker, content: file.subarray(start + 4, end), start, end };
}

/**
 * Where the coded pixels end: at the next marker that is not a restart marker. In coded pixels, a zero after 0xFF
 * means the byte 0xFF.
 */
function endOfScan(file: Buffer, start: number): number {
  for (let at = start; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue;
    const next = file[at + 1]!;
    if (next !== 0 && next !== 0xff && (next < RST0 || next > RST7)) return at;
  }
  return fault('is truncated.');
}

/** An EXIF segment with the orientation. Empty for the normal orientation. */
function exifSegment(orientation: number): Buffer[] {
  if (orientation === 1) return [];
  const content = Buffer.concat([EXIF, exifOf(orientation)]);
  return [Buffer.from([0xff, APP1, 0, content.length + 2]), content];
}
