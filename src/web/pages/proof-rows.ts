import { hasNotation } from '../../core/lib/drawn-text.ts';
import type { Tally } from '../../dispatch/load/shared/table.ts';
import type { Words } from '../../messages/words.ts';
import { correctionName, FACT_LABELS, valuesIn } from './correction-words.ts';
import { columnsOf, type ProofLinks, type Telling, tableRow, timeOf } from './proof-columns.ts';
import type { ProofData } from './proof-data.ts';
import { BODY_WIDTH, type Fonts, type ProofRow, type ProofText, rowOf, SYMBOL } from './proof-layout.ts';
import { photoRows } from './proof-photos.ts';
import { signatureRows } from './proof-signatures.ts';
import { stayCount } from './rules.ts';

/** Width of the text beside the QR Code. */
const HEAD_WIDTH = BODY_WIDTH - SYMBOL.size - 16;
const LABEL_WIDTH = 84;
/** Space between a label and its value. */
const LABEL_GAP = 4;
/** Height of the head of a table and one row. */
const ROOM_FOR_HEAD = 44;
/** In characters. Longer titles use a smaller font, because they would take more than two lines. */
const LARGE_TITLE_LENGTH = 60;

/** All rows of a document, from the title to the instructions for verifying it. */
export function* proofRows(
  data: ProofData,
  digest: string,
  links: ProofLinks,
  telling: Telling,
  fonts: Fonts,
): Generator<ProofRow> {
  yield* headRows(data, digest, telling, fonts);
  yield* signatureRows(data, telling, fonts);
  for (const manifest of data.manifests) yield* manifestRows(data, manifest, telling, fonts);
  yield* photoRows(data, links, telling, fonts);
  yield* correctionRows(data, telling, fonts);
  yield* closingRows(data, links, telling, fonts);
}

function* headRows(data: ProofData, digest: string, telling: Telling, fonts: Fonts): Generator<ProofRow> {
  const { t } = telling.words;
  const name = `${t(`kind.${data.kind}`)} ${data.externalIdentifier}`;
  const long = [...name].length > LARGE_TITLE_LENGTH || hasNotation(name, fonts.bold);
  yield rowOf('H1', 0, [{ text: t('proof.title'), font: 'bold', size: 18, width: HEAD_WIDTH }], fonts);
  yield rowOf('P', 2, [{ text: name, font: 'bold', size: long ? 9 : 13, width: HEAD_WIDTH }], fonts);
  const { totalAssetsCount: total, loadedAssetsCount: loaded } = data.counts;
  const { revision, part, parts } = data;
  const facts: [string, string][] = [
    [t('proof.shipper'), data.organizationName],
    [t('page.status'), t(stayCount(data.counts) > 0 ? 'page.completedShort' : 'page.completed')],
    [t('page.gate'), data.gate?.externalIdentifier ?? t('page.noGate')],
    ...(data.gate ? ([[t('proof.gateName'), data.gate.name!]] as [string, string][]) : []),
    ...transportFacts(data, telling),
    [t('page.loadingBegan'), timeOf(telling, data.activateDate)],
    [t('page.completedOn'), timeOf(telling, data.closeDate)],
    [t('proof.timeZone'), telling.timeZone],
    [t('page.pallets'), t('proof.loadedOf', { loaded, total })],
    [t('proof.exceptions'), exceptionsText(data, telling.words)],
    [t('page.revision'), revision === 0 ? t('proof.original') : t('proof.corrected', { count: revision })],
    ...(parts > 1 ? ([[t('proof.part'), t('proof.partOf', { part, parts })]] as [string, string][]) : []),
    ['SHA-256', digest],
  ];
  for (const [index, [label, value]] of facts.entries()) {
    const texts: ProofText[] = [
      { text: label, width: LABEL_WIDTH - LABEL_GAP },
      { text: value, left: LABEL_WIDTH, width: HEAD_WIDTH - LABEL_WIDTH, font: 'bold' },
    ];
    yield rowOf('P', index === 0 ? 8 : 1.5, texts, fonts);
  }
}

/** Carrier, vehicle, seal and planned departure, if they are known. */
function transportFacts({ transport }: ProofData, telling: Telling): [string, string][] {
  if (!transport) return [];
  const { t } = telling.words;
  const { carrier, vehicle, seal, plannedDepartureDate: planned } = transport;
  const facts: [string, string | null][] = [
    [t(FACT_LABELS.carrier), carrier],
    [t(FACT_LABELS.vehicle), vehicle],
    [t(FACT_LABELS.seal), seal],
    [t(FACT_LABELS.plannedDepartureDate), planned && timeOf(telling, planned)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

/** The numbers of deviations from the plan. */
function exceptionsText({ counts }: ProofData, { t }: Words): string {
  const named = [
    ['proof.missing', counts.notLoadedAssetsCount],
    ['proof.unloaded', counts.unloadedAssetsCount],
    ['proof.offloaded', counts.offloadedAssetsCount],
    ['proof.wrong', counts.wronglyLoadedCount],
    ['proof.unknown', counts.unknownLoadingCount],
    ['proof.cancelledLoaded', counts.cancelledLoadedCount],
  ] as const;
  const texts = named.filter(([, count]) => count > 0).map(([key, count]) => t(key, { count }));
  return texts.length === 0 ? t('proof.noExceptions') : texts.join(', ');
}

const PALLET_COLUMNS = columnsOf(34, 179, 84, 92, 126);
const PALLET_HEADS = ['proof.number', 'page.pallet', 'page.marker', 'page.status', 'page.loadedAt'] as const;
const CORRECTION_COLUMNS = columnsOf(32, 80, 122, 88, 64, 64, 65);
const CORRECTION_HEADS = [
  'proof.rev',
  'proof.time',
  'page.changed',
  'kind.MANIFEST',
  'page.before',
  'page.after',
  'page.by',
] as const;

function* manifestRows(
  data: ProofData,
  { manifestExternalId, manifestStatus, records }: ProofData['manifests'][number],
  telling: Telling,
  fonts: Fonts,
): Generator<ProofRow> {
  const { t, number } = telling.words;
  const tally: Tally = {};
  for (const { loadingStatus } of records) tally[loadingStatus] = (tally[loadingStatus] ?? 0) + 1;
  const { LOADED: loaded = 0, WRONGLY_LOADED = 0, UNKNOWN_LOADING = 0 } = tally;
  const invalid = WRONGLY_LOADED + UNKNOWN_LOADING;
  const total = records.length - invalid;
  const counts = t(data.parts > 1 ? 'proof.manifestPart' : 'proof.manifestLine', { loaded, total });
  const strays = invalid === 0 ? [] : [t('proof.strays', { count: invalid })];
  const state = manifestStatus === 'CANCELLED' ? t('proof.cancelled') : [counts, ...strays].join(', ');
  const title = `${t('kind.MANIFEST')} ${manifestExternalId}`;
  yield rowOf('H2', 14, [{ text: title, font: 'bold', size: 10 }], fonts);
  const line = rowOf('P', 1, [{ text: state }], fonts);
  if (records.length === 0) return yield line;
  yield { ...line, below: ROOM_FOR_HEAD };
  const heads = PALLET_HEADS.map((key) => t(key));
  yield tableRow('TH', PALLET_COLUMNS, heads, fonts);
  for (const [index, record] of records.entries()) {
    const texts = [
      number(index + 1),
      record.trackIdentifier ?? t('page.noIdentifier'),
      record.markerCode === null ? t('page.noMarker') : String(record.markerCode),
      t(`loading.${record.loadingStatus}`),
      record.loadingDate === null ? '–' : timeOf(telling, record.loadingDate),
    ];
    yield tableRow('TR', PALLET_COLUMNS, texts, fonts, record.loadingStatus === 'LOADED' ? [] : [3]);
  }
}

function* correctionRows(
  { corrections, revision }: ProofData,
  telling: Telling,
  fonts: Fonts,
): Generator<ProofRow> {
  if (corrections.length === 0) return;
  const { t, number } = telling.words;
  const title = t('page.corrections', { count: revision });
  yield rowOf('H2', 18, [{ text: title, font: 'bold', size: 10 }], fonts);
  if (revision > corrections.length) {
    yield rowOf('P', 1, [{ text: t('page.latest', { count: corrections.length }) }], fonts);
  }
  const heads = CORRECTION_HEADS.map((key) => t(key));
  yield tableRow('TH', CORRECTION_COLUMNS, heads, fonts);
  for (const correction of corrections) {
    const { markerCode } = correction;
    const marker =
      markerCode === null ? t('proof.noMarker') : t('proof.marker', { code: String(markerCode) });
    const texts = [
      number(correction.revision),
      timeOf(telling, correction.date),
      correctionName(telling.words, correction) ??
        correction.trackIdentifier ??
        `${t('page.noIdentifier')}, ${marker}`,
      correction.manifestExternalId ?? '–',
      ...valuesIn(telling.words, correction, (date) => timeOf(telling, date)),
      t(`actor.${correction.actorType}`),
    ];
    yield tableRow('TR', CORRECTION_COLUMNS, texts, fonts, [5]);
  }
}

function* closingRows(
  data: ProofData,
  links: ProofLinks,
  { words: { t } }: Telling,
  fonts: Fonts,
): Generator<ProofRow> {
  yield rowOf('H2', 18, [{ text: t('proof.check'), font: 'bold', size: 10 }], fonts);
  const query = data.part > 1 ? `?part=${data.part}` : '';
  const part = (number: number) => `${links.document}?part=${number}`;
  const paragraphs = [
    t('proof.checkDigest'),
    `curl -s '${links.data}${query}' | sha256sum`,
    t('proof.checkOther', { url: links.summary }),
    ...(data.parts > 1 ? [t('proof.otherParts', { first: part(1), last: part(data.parts) })] : []),
    ...(usesNotation(data, fonts) ? [t('proof.notation')] : []),
  ];
  for (const text of paragraphs) yield rowOf('P', 3, [{ text, size: 8 }], fonts);
}

/** Whether any text of the data has a character that is drawn as `{U+XXXX}`. */
function usesNotation(data: ProofData, { bold, regular }: Fonts): boolean {
  const [names, others] = [
    [
      data.externalIdentifier,
      data.organizationName,
      data.gate?.externalIdentifier,
      data.gate?.name,
      data.transport?.carrier,
      data.transport?.vehicle,
      data.transport?.seal,
    ],
    [
      ...data.manifests.flatMap((manifest) => [
        manifest.manifestExternalId,
        ...manifest.records.map(({ trackIdentifier }) => trackIdentifier),
      ]),
      ...(data.signatures ?? []).flatMap(({ name, signedFor: { carrier, vehicle, seal } }) => [
        name,
        carrier,
        vehicle,
        seal,
      ]),
      ...data.corrections.flatMap((item) => [
        item.trackIdentifier,
        item.manifestExternalId,
        item.oldValue,
        item.newValue,
      ]),
    ],
  ];
  return (
    names.some((text) => hasNotation(text ?? '', bold)) ||
    others.some((text) => hasNotation(text ?? '', regular))
  );
}
