import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive. Its bytes are packed unless `isStored`. */
export interface ArchiveFile {
  name: string;
  bytes: Uint8Array | string;
  isStored?: boolean;
  /** The flags of its header: 1 means encrypted. */
  flags?: number;
  method?: number;
  /** Whether its sizes and position are in a ZIP64 extra field. */
  isLong?: boolean;
}

const END_BYTES = 22;

/**
 * An archive with exactly these files, also with two of one name. `before`: bytes in front of it that its directory counts.
 */
export function archive(files: readonly ArchiveFile[], before: Uint8Array = new Uint8Array(0)): Buffer {
  const parts: Uint8Array[] = [before];
  const directory: Uint8Array[] = [];
  let at = before.length;
  for (const { name, bytes, isStored, flags = 0, method, isLong } of files) {
    const content = Buffer.from(bytes);
    const packed = isStored ? content : deflateRawSync(content, { level: 9 });
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(flags, 6);
    header.writeUInt16LE(method ?? (isStored ? 0 : 8), 8);
    header.writeUInt32LE(crc32(content), 14);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(content.length, 22);
    header.writeUInt16LE(name.length, 26);
    const extra = Buffer.alloc(isLong ? 28 : 0);
    if (isLong) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      extra.writeBigUInt64LE(BigInt(content.length), 4);
      extra.writeBigUInt64LE(BigInt(packed.length), 12);
      extra.writeBigUInt64LE(BigInt(at), 20);
    }
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    header.copy(entry, 8, 6, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(at, 42);
    if (isLong) for (const field of [20, 24, 42]) entry.writeUInt32LE(0xffff_ffff, field);
    directory.push(entry, Buffer.from(name), extra);
    parts.push(header, Buffer.from(name), packed);
    at += header.length + name.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(0x06054b50, 0);
  for (const field of [8, 10]) end.writeUInt16LE(Math.min(files.length, 0xffff), field);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, entries, end]);
}

/** The parts of a workbook whose sheet, shared texts and styles are this XML. */
export function bookOf(
  { sheet = '', strings = '', styles = '' }: Partial<Record<'sheet' | 'strings' | 'styles', string | Buffer>>,
  more: readonly ArchiveFile[] = [],
): Buffer {
  const within = (start: string, content: string | Buffer, end: string) =>
    Buffer.concat([Buffer.from(start), Buffer.from(content), Buffer.from(end)]);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`;
  const relations = (...list: string[]) => `<Relationships>${list.join('')}</Relationships>`;
  return archive([
    { name: '_rels/.rels', bytes: relations(relation('r1', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      bytes: '<workbook xmlns:r="x"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: relations(
        relation('r1', 'worksheet', 'worksheets/sheet1.xml'),
        relation('r2', 'sharedStrings', 'sharedStrings.xml'),
        relation('r3', 'styles', 'styles.xml'),
      ),
    },
    { name: 'xl/sharedStrings.xml', bytes: within('<sst>', strings, '</sst>') },
    { name: 'xl/styles.xml', bytes: within('<styleSheet>', styles, '</styleSheet>') },
    {
      name: 'xl/worksheets/sheet1.xml',
      bytes: within('<worksheet><sheetData>', sheet, '</sheetData></worksheet>'),
    },
    ...more,
  ]);
}
