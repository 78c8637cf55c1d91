import type { Tally } from '../manifest/asset-table.ts';
import type { ProofData } from './proof-data.ts';
import { BODY_WIDTH, type Fonts, type Row, rowOf, SYMBOL, type Text } from './proof-layout.ts';
import { hasNotation } from './proof-text.ts';
import {
  ACTOR_WORDS,
  counted,
  groupedDigits,
  KIND_WORDS,
  LOADING_WORDS,
  MANIFEST_WORDS,
  NO_IDENTIFIER,
  newStatusWords,
  utcText,
} from './words.ts';

/** Where a proof of shipment and what belongs to it are found. */
export interface ProofLinks {
  summary: string;
  /** Without a part. */
  document: string;
  /** The data that the digest is over. */
  data: string;
}

/** What stands beside the symbol is not wider than this. */
const HEAD_WIDTH = BODY_WIDTH - SYMBOL.size - 16;
const LABEL_WIDTH = 84;
const TABLE_SIZE = 8;
/** Room for the head of a table and a row of it. */
const ROOM_FOR_HEAD = 44;
/** A title is large as long as it takes a line or two. */
const LARGE_TITLE_LENGTH = 60;

/** All rows of a document, from its title to how it is checked. */
export function* proofRows(data: ProofData, digest: string, links: ProofLinks, fonts: Fonts): Generator<Row> {
  yield* headRows(data, digest, fonts);
  for (const manifest of data.manifests) yield* manifestRows(data, manifest, fonts);
  yield* correctionRows(data, fonts);
  yield* closingRows(data, links, fonts);
}

function* headRows(data: ProofData, digest: string, fonts: Fonts): Generator<Row> {
  const name = `${KIND_WORDS[data.kind]} ${data.externalIdentifier}`;
  const long = [...name].length > LARGE_TITLE_LENGTH || hasNotation(name, fonts.bold);
  yield rowOf('H1', 0, [{ text: 'Proof of shipment', font: 'bold', size: 18, width: HEAD_WIDTH }], fonts);
  yield rowOf('P', 2, [{ text: name, font: 'bold', size: long ? 9 : 13, width: HEAD_WIDTH }], fonts);
  const facts: [string, string][] = [
    ['Shipper', data.organizationName],
    ['Status', 'Completed'],
    ['Gate', data.gate?.externalIdentifier ?? 'None'],
    ...(data.gate ? ([['Gate name', data.gate.name!]] as [string, string][]) : []),
    ['Loading began', utcText(Date.parse(data.activateDate))],
    ['Completed', utcText(Date.parse(data.closeDate))],
    ['Pallets', countsText(data)],
    ...exceptionsText(data),
    ['Revision', revisionText(data)],
    ...(data.parts > 1
      ? ([['Part', `${data.part} of ${data.parts}; counts are those of all parts`]] as [string, string][])
      : []),
    ['SHA-256', digest],
  ];
  for (const [index, [label, value]] of facts.entries()) {
    const texts: Text[] = [
      { text: label, width: LABEL_WIDTH },
      { text: value, left: LABEL_WIDTH, width: HEAD_WIDTH - LABEL_WIDTH, font: 'bold' },
    ];
    yield rowOf('P', index === 0 ? 8 : 1.5, texts, fonts);
  }
}

function countsText({ counts }: ProofData): string {
  const { totalAssetsCount: total, loadedAssetsCount: loaded } = counts;
  return `${groupedDigits(loaded)} of ${groupedDigits(total)} loaded`;
}

/** What is not as it was planned, counted. */
function exceptionsText({ counts }: ProofData): [string, string][] {
  const named: [string, number][] = [
    ['not loaded', counts.notLoadedAssetsCount],
    ['unloaded', counts.unloadedAssetsCount],
    ['offloaded', counts.offloadedAssetsCount],
    ['wrongly loaded', counts.wronglyLoadedCount],
    ['unknown marker', counts.unknownLoadingCount],
    ['loaded of cancelled manifests', counts.cancelledLoadedCount],
  ];
  const texts = named
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${groupedDigits(count)} ${name}`);
  return [['Exceptions', texts.length === 0 ? 'None' : texts.join(', ')]];
}

const revisionText = ({ revision }: ProofData): string =>
  revision === 0
    ? 'Original: nothing was corrected since completion'
    : `${groupedDigits(revision)}: corrected since completion, as listed at the end`;

/** Columns of a table: where each begins, and how wide its texts are. */
type Columns = readonly { left: number; width: number }[];

function columnsOf(...widths: number[]): Columns {
  let left = 0;
  return widths.map((width) => {
    const column = { left, width: width - 6 };
    left += width;
    return column;
  });
}

const PALLET_COLUMNS = columnsOf(36, 217, 84, 82, 96);
const PALLET_HEADS = ['No.', 'Pallet', 'Marker code', 'Status', 'Loaded at (UTC)'];
const CORRECTION_COLUMNS = columnsOf(32, 84, 128, 92, 58, 58, 63);
const CORRECTION_HEADS = ['Rev.', 'Time (UTC)', 'Pallet', 'Manifest', 'From', 'To', 'By'];

/** A row of a table; `bold` names the columns that stand out. */
const tableRow = (
  role: 'TH' | 'TR',
  columns: Columns,
  texts: readonly string[],
  fonts: Fonts,
  bold: readonly number[] = [],
): Row =>
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

function* manifestRows(
  data: ProofData,
  { manifestExternalId, manifestStatus, records }: ProofData['manifests'][number],
  fonts: Fonts,
): Generator<Row> {
  const tally: Tally = {};
  for (const { loadingStatus } of records) tally[loadingStatus] = (tally[loadingStatus] ?? 0) + 1;
  const { LOADED = 0, WRONGLY_LOADED = 0, UNKNOWN_LOADING = 0 } = tally;
  const invalid = WRONGLY_LOADED + UNKNOWN_LOADING;
  const here = data.parts > 1 ? ' in this part' : '';
  const counts = `${groupedDigits(LOADED)} of ${counted(records.length - invalid, 'pallet')}${here} loaded`;
  const added =
    invalid === 0 ? '' : `, ${counted(invalid, 'pallet')} that ${invalid === 1 ? 'does' : 'do'} not belong`;
  const cancelled = manifestStatus === 'CANCELLED';
  const state = cancelled ? `${MANIFEST_WORDS[manifestStatus]}, not counted above` : `${counts}${added}`;
  yield rowOf('H2', 14, [{ text: `Manifest ${manifestExternalId}`, font: 'bold', size: 10 }], fonts);
  const line = rowOf('P', 1, [{ text: state }], fonts);
  if (records.length === 0) return yield line;
  yield { ...line, below: ROOM_FOR_HEAD };
  yield tableRow('TH', PALLET_COLUMNS, PALLET_HEADS, fonts);
  for (const [index, record] of records.entries()) {
    const texts = [
      groupedDigits(index + 1),
      record.trackIdentifier ?? NO_IDENTIFIER,
      record.markerCode === null ? 'None' : String(record.markerCode),
      LOADING_WORDS[record.loadingStatus],
      record.loadingDate === null ? '–' : tableTime(record.loadingDate),
    ];
    yield tableRow('TR', PALLET_COLUMNS, texts, fonts, record.loadingStatus === 'LOADED' ? [] : [3]);
  }
}

/** An instant in a column that says that it is UTC. */
const tableTime = (date: string): string => utcText(Date.parse(date)).slice(0, -' UTC'.length);

function* correctionRows({ corrections, revision }: ProofData, fonts: Fonts): Generator<Row> {
  if (corrections.length === 0) return;
  const title = `Corrections since completion (${groupedDigits(revision)})`;
  yield rowOf('H2', 18, [{ text: title, font: 'bold', size: 10 }], fonts);
  if (revision > corrections.length) {
    const text = `The latest ${groupedDigits(corrections.length)} are listed.`;
    yield rowOf('P', 1, [{ text }], fonts);
  }
  yield tableRow('TH', CORRECTION_COLUMNS, CORRECTION_HEADS, fonts);
  for (const correction of corrections) {
    const marker = correction.markerCode === null ? 'no marker' : `marker ${correction.markerCode}`;
    const texts = [
      groupedDigits(correction.revision),
      tableTime(correction.date),
      correction.trackIdentifier ?? `${NO_IDENTIFIER}, ${marker}`,
      correction.manifestExternalId,
      LOADING_WORDS[correction.oldStatus],
      newStatusWords(correction.newStatus),
      ACTOR_WORDS[correction.actorType],
    ];
    yield tableRow('TR', CORRECTION_COLUMNS, texts, fonts, [5]);
  }
}

function* closingRows(data: ProofData, links: ProofLinks, fonts: Fonts): Generator<Row> {
  yield rowOf('H2', 18, [{ text: 'How to check this document', font: 'bold', size: 10 }], fonts);
  const query = data.part > 1 ? `?part=${data.part}` : '';
  const paragraphs = [
    'The SHA-256 on every page is the digest of the data shown here as canonical JSON (RFC 8785). This prints it for the ' +
      'data as it is now:',
    `curl -s '${links.data}${query}' | sha256sum`,
    `Where another one is printed, something was corrected after this document was made. The summary, also by the symbol ` +
      `on the first page, shows what: ${links.summary}`,
    ...(data.parts > 1 ? [`The other parts: ${links.document}?part=1 to ?part=${data.parts}`] : []),
    ...(usesNotation(data, fonts)
      ? [
          'U+ and digits in braces stand for the character of that Unicode code point, which this document does not draw. ' +
            'The summary shows it as it is.',
        ]
      : []),
  ];
  for (const text of paragraphs) yield rowOf('P', 3, [{ text, size: 8 }], fonts);
}

/** Whether a text of the data is drawn with code points in it. */
function usesNotation(data: ProofData, { bold, regular }: Fonts): boolean {
  const [names, others] = [
    [data.externalIdentifier, data.organizationName, data.gate?.externalIdentifier, data.gate?.name],
    [
      ...data.manifests.flatMap((manifest) => [
        manifest.manifestExternalId,
        ...manifest.records.map(({ trackIdentifier }) => trackIdentifier),
      ]),
      ...data.corrections.flatMap((item) => [item.trackIdentifier, item.manifestExternalId]),
    ],
  ];
  return (
    names.some((text) => hasNotation(text ?? '', bold)) ||
    others.some((text) => hasNotation(text ?? '', regular))
  );
}
