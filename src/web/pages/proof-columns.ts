import type { Paper } from '../../dispatch/printing-batch/layout.ts';
import type { Words } from '../../messages/words.ts';
import { type Fonts, type ProofRow, rowOf } from './proof-layout.ts';

/** The URLs of a proof of shipment and of its related pages. */
export interface ProofLinks {
  summary: string;
  /** The URL without a part. */
  document: string;
  /** The URL of the data from which the digest is computed. */
  data: string;
  /** The photos, in the order of the data. */
  photos?: readonly PhotoLink[];
  /** Whether the load has photos that are not in the data. */
  morePhotos?: true;
}

/** The link of a photo, and whether the document shows its picture instead of the link. */
export interface PhotoLink {
  url: string;
  isDrawn: boolean;
}

/** The language and the paper of a document, and the time zone (IANA) of its dates. */
export interface Telling {
  words: Words;
  timeZone: string;
  paper: Paper;
}

const TABLE_SIZE = 8;

/** A date of the data in the time zone of the site. */
export const timeOf = ({ words, timeZone }: Telling, date: string): string =>
  words.exactTime(timeZone, Date.parse(date));

/** Columns of a table: the left edge of each, and the width of its texts. */
type Columns = readonly { left: number; width: number }[];

export function columnsOf(...widths: number[]): Columns {
  let left = 0;
  return widths.map((width) => {
    const column = { left, width: width - 6 };
    left += width;
    return column;
  });
}

/** A row of a table; `bold` lists the columns in bold. */
export const tableRow = (
  role: 'TH' | 'TR',
  columns: Columns,
  texts: readonly string[],
  fonts: Fonts,
  bold: readonly number[] = [],
): ProofRow =>
  rowOf(
    role,
    role === 'TH' ? 4 : 0,
    texts.map((text, index) => ({
      ...columns[index]!,
      text,
      size: TABLE_SIZE,
      font: role === 'TH' || bold.includes(index) ? 'bold' : 'regular',
    })),
    fonts,
  );
