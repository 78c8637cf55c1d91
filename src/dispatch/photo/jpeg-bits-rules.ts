import { fault } from './image-parts-rules.ts';

/** The longest Huffman code, in bits. */
const CODE_BITS = 16;

/**
 * A Huffman table for the next 16 bits: `symbol << 5 | length of its code`. The length is 0 for bits that begin no code.
 * @param counts how many codes have each length, from 1 bit to 16 bits
 */
export function huffmanTable(counts: Uint8Array, symbols: Uint8Array): Uint16Array {
  const table = new Uint16Array(1 << CODE_BITS);
  let [from, next] = [0, 0];
  for (const [index, count] of counts.entries()) {
    const span = 1 << (CODE_BITS - 1 - index);
    for (let code = 0; code < count; code += 1) {
      if (from + span > table.length || next >= symbols.length) fault('is damaged.');
      table.fill((symbols[next]! << 5) | (index + 1), from, from + span);
      from += span;
      next += 1;
    }
  }
  return table;
}

/** Reads the coded bits of a scan (ITU-T T.81, section F.2.2). After the end, and before a marker, it reads zeros. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Hold at least 16 bits. */
  #fill(): void {
    while (this.#count < CODE_BITS) {
      let byte = this.#bytes[this.#at] ?? 0;
      if (byte !== 0xff) this.#at += 1;
      else if (this.#bytes[this.#at + 1] === 0) this.#at += 2;
      else byte = 0;
      this.#held = (this.#held << 8) | byte;
      this.#count += 8;
    }
  }

  /** Read a symbol. @throws `ImageFault` if the bits begin no code of the table */
  symbol(table: Uint16Array): number {
    this.#fill();
    const entry = table[(this.#held >>> (this.#count - CODE_BITS)) & 0xffff]!;
    if (entry === 0) fault('is damaged.');
    this.#count -= entry & 31;
    return entry >> 5;
  }

  /** Read a number of up to 16 bits. Half of the numbers of a length are negative (EXTEND, section F.2.2.1). */
  signed(length: number): number {
    if (length === 0) return 0;
    if (length > CODE_BITS) fault('is damaged.');
    this.#fill();
    this.#count -= length;
    const value = (this.#held >>> this.#count) & ((1 << length) - 1);
    return value < 1 << (length - 1) ? value - (1 << length) + 1 : value;
  }

  skip(length: number): void {
    this.#fill();
    this.#count -= length;
  }

  /** Continue after the next restart marker. */
  restart(): void {
    this.#held = 0;
    this.#count = 0;
    while (this.#at < this.#bytes.length && !this.#isMarker()) this.#at += 1;
    this.#at += 2;
  }

  #isMarker(): boolean {
    const next = this.#bytes[this.#at + 1] ?? 0;
    return this.#bytes[this.#at] === 0xff && next !== 0 && next !== 0xff;
  }
}
