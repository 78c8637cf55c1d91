import type { Buffer } from 'node:buffer';
import { fault } from './image-parts-rules.ts';
import { BitReader, huffmanTable } from './jpeg-bits-rules.ts';

/** The samples of one colour component at a quarter of its width and height. */
export interface Plane {
  /** Samples of a row, including the padding of the last MCU (minimum coded unit). */
  stride: number;
  /** Samples that belong to the image. */
  width: number;
  height: number;
  samples: Uint8ClampedArray;
}

/** A block of 8 × 8 pixels becomes 2 × 2 samples. */
const SAMPLES_OF_BLOCK = 2;
const BLOCK_PIXELS = 8;
/**
 * Places of the coefficients that the samples need, in the zigzag order of JPEG. The DC coefficient is the mean of the
 * block. The three AC coefficients are its gradients.
 */
const [DC, ACROSS, DOWN, DIAGONAL] = [0, 1, 2, 4];
const ZERO_RUN = 15;
/** Encoders write at most 8 Huffman tables for each of about 10 scans. A table takes 128 KB while it is used. */
const TABLES_MAXIMUM = 80;

interface Component {
  id: number;
  /** Sampling factors. */
  across: number;
  down: number;
  quantization: number;
  plane: Plane;
  /** Blocks of the component, without the padding of the last MCU. */
  blocks: { across: number; down: number };
  /** The DC coefficient of the block before. It predicts the next one. */
  dc: number;
  isDecoded: boolean;
}

/** A component in a scan, with its Huffman tables. */
interface Scanned {
  component: Component;
  dcTable: Uint16Array;
  acTable: Uint16Array | undefined;
  factors: Uint16Array;
}

/**
 * Decodes a JPEG to a quarter of its size, segment by segment. Only the lowest coefficients of each block are kept.
 * So 25 megapixels take 5 MB instead of 100 MB. Of a progressive JPEG only the DC coefficients are read.
 */
export class PlaneReader {
  #isProgressive = false;
  #restartInterval = 0;
  #components: Component[] = [];
  /** MCUs of a scan of several components. */
  #mcus = { across: 0, down: 0 };
  readonly #tables = new Map<number, Uint16Array>();
  readonly #factors = new Map<number, Uint16Array>();
  #tablesRead = 0;

  /** The planes in the order of the frame. */
  get planes(): Plane[] {
    return this.#components.map(({ plane }) => plane);
  }

  /** Whether all components are decoded. The segments that follow change nothing. */
  get isComplete(): boolean {
    return this.#components.length > 0 && this.#components.every(({ isDecoded }) => isDecoded);
  }

  /** Read the frame header (ITU-T T.81, section B.2.2). */
  frame(content: Buffer, isProgressive: boolean): void {
    const [precision, height, width] = [content[0], content.readUInt16BE(1), content.readUInt16BE(3)];
    const count = content[5] ?? 0;
    if (precision !== 8 || (count !== 1 && count !== 3)) fault('has colours that are not decoded.');
    const headers = Array.from({ length: count }, (_, index) => {
      const [id, sampling, quantization] = content.subarray(6 + index * 3, 9 + index * 3);
      const [across, down] = [(sampling ?? 0) >> 4, (sampling ?? 0) & 15];
      if (across < 1 || across > 4 || down < 1 || down > 4) fault('is damaged.');
      return { id: id!, across, down, quantization: quantization ?? 0 };
    });
    const most = {
      across: Math.max(...headers.map(({ across }) => across)),
      down: Math.max(...headers.map(({ down }) => down)),
    };
    this.#isProgressive = isProgressive;
    const [mcuWidth, mcuHeight] = [BLOCK_PIXELS * most.across, BLOCK_PIXELS * most.down];
    const mcus = { across: Math.ceil(width / mcuWidth), down: Math.ceil(height / mcuHeight) };
    this.#mcus = mcus;
    this.#components = headers.map((header) => {
      const pixels = {
        width: Math.ceil((width * header.across) / most.across),
        height: Math.ceil((height * header.down) / most.down),
      };
      const stride = mcus.across * header.across * SAMPLES_OF_BLOCK;
      const rows = mcus.down * header.down * SAMPLES_OF_BLOCK;
      const quarter = (length: number) => Math.ceil((length * SAMPLES_OF_BLOCK) / BLOCK_PIXELS);
      return {
        ...header,
        blocks: {
          across: Math.ceil(pixels.width / BLOCK_PIXELS),
          down: Math.ceil(pixels.height / BLOCK_PIXELS),
        },
        plane: {
          stride,
          width: quarter(pixels.width),
          height: quarter(pixels.height),
          samples: new Uint8ClampedArray(stride * rows).fill(128),
        },
        dc: 0,
        isDecoded: false,
      };
    });
  }

  /** Read Huffman tables (section B.2.4.2). */
  huffmanTables(content: Buffer): void {
    for (let at = 0; at < content.length; ) {
      const name = content[at]!;
      const counts = content.subarray(at + 1, at + 17);
      const total = counts.reduce((sum, count) => sum + count, 0);
      this.#tablesRead += 1;
      if (this.#tablesRead > TABLES_MAXIMUM) fault('has too many Huffman tables.');
      this.#tables.set(name, huffmanTable(counts, content.subarray(at + 17, at + 17 + total)));
      at += 17 + total;
    }
  }

  /** Read quantization tables (section B.2.4.1). */
  quantizationTables(content: Buffer): void {
    for (let at = 0; at < content.length; ) {
      const [wide, name] = [content[at]! >> 4, content[at]! & 15];
      const bytes = wide ? 2 : 1;
      if (at + 1 + 64 * bytes > content.length) fault('is damaged.');
      const factor = (place: number) => content.readUIntBE(at + 1 + place * bytes, bytes);
      this.#factors.set(name, Uint16Array.of(factor(DC), factor(ACROSS), factor(DOWN), factor(DIAGONAL)));
      at += 1 + 64 * bytes;
    }
  }

  restartInterval(content: Buffer): void {
    this.#restartInterval = content.length >= 2 ? content.readUInt16BE(0) : 0;
  }

  /** Read a scan (section B.2.3). Each component is decoded once, so a file cannot ask for more work than its pixels. */
  scan(header: Buffer, coded: Buffer): void {
    const count = header[0] ?? 0;
    const [from = 0, , shift = 0] = header.subarray(1 + count * 2);
    // Later scans of a progressive JPEG add AC coefficients and low bits.
    if (this.#isProgressive && (from > 0 || shift >> 4 > 0)) return;
    const scanned = Array.from({ length: count }, (_, index): Scanned => {
      const [id, tables = 0] = header.subarray(1 + index * 2, 3 + index * 2);
      const component = this.#components.find((each) => each.id === id);
      const dcTable = this.#tables.get(tables >> 4);
      const acTable = this.#isProgressive ? undefined : this.#tables.get(16 + (tables & 15));
      const factors = component && this.#factors.get(component.quantization);
      if (!component || !dcTable || !factors || (!acTable && !this.#isProgressive)) fault('is damaged.');
      if (component.isDecoded) fault('has two scans of a component.');
      component.isDecoded = true;
      return { component, dcTable, acTable, factors };
    });
    this.#blocksOf(scanned, new BitReader(coded), shift & 15);
  }

  /** Decode the blocks in their order: by MCUs if the scan has several components, else row by row. */
  #blocksOf(scanned: readonly Scanned[], bits: BitReader, shift: number): void {
    const [only] = scanned.length === 1 ? scanned : [];
    const { across, down } = only ? only.component.blocks : this.#mcus;
    const total = across * down;
    for (const { component } of scanned) component.dc = 0;
    for (let mcu = 0; mcu < total; mcu += 1) {
      if (this.#restartInterval > 0 && mcu > 0 && mcu % this.#restartInterval === 0) {
        bits.restart();
        for (const { component } of scanned) component.dc = 0;
      }
      const [x, y] = [mcu % across, Math.floor(mcu / across)];
      if (only) decodeBlock(only, bits, shift, x, y);
      else {
        for (const each of scanned) {
          const { component } = each;
          for (let row = 0; row < component.down; row += 1) {
            for (let column = 0; column < component.across; column += 1) {
              decodeBlock(each, bits, shift, x * component.across + column, y * component.down + row);
            }
          }
        }
      }
    }
  }
}

/** Decode one block (section F.2.2) into its samples: the inverse transform of its four lowest coefficients. */
function decodeBlock(
  { component, dcTable, acTable, factors }: Scanned,
  bits: BitReader,
  shift: number,
  x: number,
  y: number,
): void {
  component.dc += bits.signed(bits.symbol(dcTable));
  let [across, down, diagonal] = [0, 0, 0];
  for (let place = 1; acTable && place < 64; place += 1) {
    const symbol = bits.symbol(acTable);
    const [zeros, length] = [symbol >> 4, symbol & 15];
    if (length === 0) {
      if (zeros < ZERO_RUN) break;
      place += ZERO_RUN;
      continue;
    }
    place += zeros;
    if (place === ACROSS) across = bits.signed(length);
    else if (place === DOWN) down = bits.signed(length);
    else if (place === DIAGONAL) diagonal = bits.signed(length);
    else bits.skip(length);
  }
  const mean = ((component.dc << shift) * factors[0]!) / 8 + 128;
  const [a, b, c] = [(across * factors[1]!) / 8, (down * factors[2]!) / 8, (diagonal * factors[3]!) / 8];
  const { samples, stride } = component.plane;
  const at = y * SAMPLES_OF_BLOCK * stride + x * SAMPLES_OF_BLOCK;
  samples[at] = mean + a + b + c;
  samples[at + 1] = mean - a + b - c;
  samples[at + stride] = mean + a - b - c;
  samples[at + stride + 1] = mean - a - b + c;
}
