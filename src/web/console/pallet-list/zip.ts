import { Buffer } from 'node:buffer';
import { createInflateRaw } from 'node:zlib';
import { UnreadableError } from './unreadable.ts';

/** The most files of an archive. */
const ENTRIES_MAXIMUM = 1_000;
/** Unpacked bytes that are handed out at a time. */
const CHUNK_BYTES = 64 * 1024;

/** Signatures and sizes of the headers (APPNOTE 6.3.10), in bytes. */
const END = { signature: 0x06054b50, bytes: 22, commentMaximum: 0xffff };
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const LOCAL = { signature: 0x04034b50, bytes: 30 };
/** The number in a field of 32 bits whose value is in the ZIP64 extra field. */
const IN_EXTRA = 0xffff_ffff;
const ZIP64_EXTRA = 0x0001;
const STORED = 0;
const DEFLATED = 8;
const IS_ENCRYPTED = 1;

/** A file of an archive. */
interface Entry {
  method: number;
  isEncrypted: boolean;
  /** The packed bytes, and the position of its local header. */
  bytes: number;
  at: number;
}

/**
 * The files of an archive, which are found by its central directory. Local headers that it does not name do not count.
 */
export class Archive {
  readonly #bytes: Buffer;
  readonly #entries: ReadonlyMap<string, Entry>;

  /** @throws `UnreadableError` for an archive without a central directory, with several disks, or with two files of one name */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#entries = entriesOf(this.#bytes);
  }

  /** Whether the archive has a file with this name. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Unpack a file in chunks. Each chunk is charged before the next one is unpacked, so a small file cannot unpack to more than its reader allows.
   * @throws `UnreadableError` for a file that is missing, incomplete, encrypted or packed in another way
   */
  async *unpacked(name: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name);
    if (!entry) throw new UnreadableError('broken');
    if (entry.isEncrypted) throw new UnreadableError('locked');
    const packed = this.#packed(entry);
    if (entry.method === STORED) {
      for (let at = 0; at < packed.length; at += CHUNK_BYTES) yield packed.subarray(at, at + CHUNK_BYTES);
      return;
    }
    if (entry.method !== DEFLATED) throw new UnreadableError('broken');
    const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
    inflate.end(packed);
    try {
      for await (const chunk of inflate) yield chunk;
    } catch {
      throw new UnreadableError('broken');
    } finally {
      inflate.destroy();
    }
  }

  #packed({ at, bytes }: Entry): Buffer {
    const header = part(this.#bytes, at, LOCAL.bytes);
    if (header.readUInt32LE() !== LOCAL.signature) throw new UnreadableError('broken');
    const names = header.readUInt16LE(26) + header.readUInt16LE(28);
    return part(this.#bytes, at + LOCAL.bytes + names, bytes);
  }
}

function entriesOf(bytes: Buffer): Map<string, Entry> {
  const end = endOf(bytes);
  const count = end.readUInt16LE(10);
  if (count > ENTRIES_MAXIMUM) throw new UnreadableError('large');
  // An archive of several disks has its directory elsewhere.
  if (end.readUInt16LE(4) !== 0 || end.readUInt16LE(8) !== count) throw new UnreadableError('broken');
  const directory = part(bytes, end.readUInt32LE(16), end.readUInt32LE(12));
  const entries = new Map<string, Entry>();
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const header = part(directory, at, CENTRAL.bytes);
    if (header.readUInt32LE() !== CENTRAL.signature) throw new UnreadableError('broken');
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => header.readUInt16LE(field)) as [
      number,
      number,
      number,
    ];
    const nameAt = at + CENTRAL.bytes;
    const name = part(directory, nameAt, nameBytes).toString('utf8').replaceAll('\\', '/').replace(/^\//, '');
    if (entries.has(name)) throw new UnreadableError('broken');
    const extra = part(directory, nameAt + nameBytes, extraBytes);
    entries.set(name, {
      ...placeOf(header, extra),
      method: header.readUInt16LE(10),
      isEncrypted: (header.readUInt16LE(8) & IS_ENCRYPTED) !== 0,
    });
    at = nameAt + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

/** The packed bytes and the position of a file. Some programs write them in 64 bits for files of any size. */
function placeOf(header: Buffer, extra: Buffer): Pick<Entry, 'bytes' | 'at'> {
  const [unpacked, bytes, at] = [24, 20, 42].map((field) => header.readUInt32LE(field)) as [
    number,
    number,
    number,
  ];
  let field = zip64In(extra);
  const long = (short: number): number => {
    if (short !== IN_EXTRA) return short;
    const value = Number(part(field, 0, 8).readBigUInt64LE());
    field = field.subarray(8);
    return value;
  };
  // The extra field has only the values that are missing in the header, in this order.
  long(unpacked);
  return { bytes: long(bytes), at: long(at) };
}

function zip64In(extra: Buffer): Buffer {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === ZIP64_EXTRA) return part(extra, at + 4, extra.readUInt16LE(at + 2));
  }
  return extra.subarray(0, 0);
}

/** The record at the end of an archive. A comment may follow it. */
function endOf(bytes: Buffer): Buffer {
  const tail = bytes.subarray(Math.max(0, bytes.length - END.bytes - END.commentMaximum));
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(END.signature);
  const at = tail.lastIndexOf(signature);
  return part(tail, at, END.bytes);
}

/** Bytes that must be there. */
function part(bytes: Buffer, at: number, length: number): Buffer {
  if (at < 0 || at + length > bytes.length) throw new UnreadableError('broken');
  return bytes.subarray(at, at + length);
}
