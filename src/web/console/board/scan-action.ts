import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { text } from '../../../core/http/schema.ts';
import { refuseMissing, write } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { newUuid } from '../../../core/lib/id.ts';
import { ProblemError, refusalStatus } from '../../../core/lib/problem.ts';
import { listed } from '../../../core/lib/text.ts';
import { parseViews } from '../../../core/lib/view.ts';
import type { ScanOutcome } from '../../../dispatch/loading/gate-view-rules.ts';
import { recordScans } from '../../../dispatch/loading/scan-commands.ts';
import {
  type Expected,
  gluedAt,
  palletSubject,
  type Scanned,
  type ScannedPallet,
  type Subject,
  scannedAt,
  unknownSubject,
} from '../../../dispatch/loading/scanned-store.ts';
import { DIRECTIONS } from '../../../dispatch/loading/table.ts';
import type { Words } from '../../../messages/words.ts';
import {
  looksMistyped,
  READING_MAXIMUM,
  type Reading,
  readIdentifier,
  readingsOf,
  visible,
} from '../../../pallet/identifier.ts';
import { type ActionContext, type ActionResult, action, type PageContext } from '../../ui/confirm/action.ts';
import { data, redirect, wantsJson } from '../../ui/page/answer.tsx';
import { inWords, refuseInWords } from '../../ui/parts/language.ts';
import { beginByBadge } from '../tablet/work-actions.ts';
import { placeIn } from './board-parts.tsx';
import { type BoardLoad, loadValue } from './rules.ts';
import { placesQuery, shipmentOfManifest } from './store.ts';

/** How many readings one form may have. Scripts send each reading by itself. */
const READINGS_MAXIMUM = 10;

const scanForm = z.object({
  scan: text(1, READING_MAXIMUM).refine(
    (scan) => visible(scan) !== '',
    'The text must have at least one visible character.',
  ),
  /** An id from the device, so that a scan that is sent again counts once. */
  scanId: text(1, 100).optional(),
  /** The time of the scan, which may be earlier than the time of sending. */
  scanDate: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
  /** `UNLOAD` takes back a scan that may have been sent. */
  direction: z.enum(DIRECTIONS).default('LOAD'),
});
type ScanForm = z.output<typeof scanForm>;

/** A result with a notice. */
type Done = Exclude<ActionResult, Response>;

/**
 * Process a scan at the gate of the page, in the user's name. It counts like a scan of a camera. The pallet needs no marker.
 * A text with several readings is as many scans.
 */
export const scanAction = action(
  'mark',
  scanForm,
  async (at, { uuid }: { uuid: string }, form): Promise<ActionResult> => {
    const readings = readingsOf(form.scan);
    if (readings.length <= 1) return processScan(at, uuid, form);
    if (readings.length > READINGS_MAXIMUM)
      refuseInWords('validationFailed', at.words.t('scan.tooMany', { count: READINGS_MAXIMUM }));
    const done: string[] = [];
    for (const [index, scan] of readings.entries())
      done.push(await processOne(at, uuid, { ...form, scan }, ` ${index}`));
    return { done: done.join(' ') };
  },
);

/** Process one of several readings. Returns its result, or why it was refused. */
async function processOne(at: ActionContext, uuid: string, form: ScanForm, suffix: string): Promise<string> {
  const { key } = at.submission;
  const submission = { ...at.submission, key: key && key + suffix };
  const own: ActionContext = Object.assign(Object.create(at) as ActionContext, { submission });
  try {
    const scanId = form.scanId && form.scanId + suffix;
    const result = await processScan(own, uuid, { ...form, scanId });
    return result instanceof Response ? severalText(at.words, form.scan) : result.done;
  } catch (error) {
    if (!(error instanceof ProblemError) || refusalStatus(error.refusal) >= 500) throw error;
    return inWords(at.words, error).detail;
  }
}

async function processScan(at: ActionContext, uuid: string, form: ScanForm): Promise<Done | Response> {
  const { database, words } = at;
  const reading = readIdentifier(form.scan, database.organization);
  const scanned = await scannedAt(database, uuid, [reading]);
  const { gate, markers } = scanned;
  const { pallets, way } = scanned.meant[0]!;
  if (!gate) return refuseMissing('gateNotFound', uuid);
  const [pallet] = pallets;
  const glued = gluedAt(reading, pallets, markers);
  if (glued.length > 0)
    refuseInWords('trackNotFound', words.t('scan.glued', { pallets: words.list(glued) }), { status: 404 });
  const isLoad = form.direction === 'LOAD';
  const begun = pallet || !isLoad ? undefined : await beginByBadge(at, form.scan, 'scans');
  if (begun && begun !== 'paused') return begun;
  const unknown = pallet ? undefined : unknownSubject(form.scan, reading, markers);
  const isAsked = asked(scanned).length > 0 && !unknown;
  if (isAsked && isLoad) return choiceOf(at, uuid, form.scan, scanned);
  // The scan that is taken back asked which pallet it meant, so it has loaded none.
  if (isAsked)
    return scanAnswer(words, { outcome: 'NOT_LOADED', pallet: reading.text, manifest: null, record: null });
  const subject = pallet ? palletSubject(form.scan, pallet.wmsId) : unknown;
  const placed = () => placeOf(at, [...reading.literal, ...reading.meant, ...(pallet ? [pallet.wmsId] : [])]);
  if (!subject) return refuseUnknown(words, reading, begun === 'paused', await placed());
  const result = await recordScan(at, gate.externalIdentifier, form, subject);
  const isRepeat = isLoadedBefore(pallet?.record, form);
  const ready =
    pallet && isLoad && result.outcome === 'NO_ACTIVE_MANIFEST'
      ? await database.first(readyLoadQuery(database, gate.uuid, pallet.wmsId))
      : undefined;
  const start = ready && at.may('load') && { thing: loadValue(ready), text: words.t('gate.start') };
  const readied = ready && { ready: ready.ready, ...(start && { start }) };
  const place = isLoad && !ready && ELSEWHERE.includes(result.outcome) ? await placed() : undefined;
  return scanAnswer(
    words,
    { ...result, ...readied },
    { isRepeat, place, hint: way === 'LAYOUT' && words.t('scan.keyboard') },
  );
}

/** Results of pallets that belong elsewhere, or nowhere. */
const ELSEWHERE: readonly ScanOutcome[] = ['WRONGLY_LOADED', 'UNKNOWN_LOADING', 'NO_ACTIVE_MANIFEST'];

/** Where the pallet with one of these WMS ids belongs, or when it has left, in words. */
async function placeOf(
  { database, words, session }: ActionContext,
  wmsIds: readonly string[],
): Promise<string | undefined> {
  const places = parseViews(await database.all(placesQuery(database, [...new Set(wmsIds)])));
  const texts = places.map((place) => placeIn(words, place, session.organization.timeZone));
  return texts.find((text) => text !== undefined);
}

/** The result of a scan, without the texts about it. */
interface Result {
  outcome: ScanOutcome;
  pallet: string;
  manifest: string | null;
  record: string | null;
  /** The name of the load that is ready at the gate and expects the pallet, if nothing is being loaded there. */
  ready?: string;
  /** The button that starts that load, if the user may start it: the load as forms name it, and the text. */
  start?: { thing: string; text: string };
}

async function recordScan(
  { c, submission }: ActionContext,
  gateIdentifier: string,
  form: ScanForm,
  subject: Subject,
): Promise<Result> {
  const scanId = form.scanId ?? submission.key ?? newUuid();
  const scanDate = form.scanDate ?? null;
  const { body } = await write(c, submission, recordScans, {
    gateIdentifier,
    scans: [
      { scanId, ...subject, direction: form.direction, damaged: false, cameraHardwareId: null, scanDate },
    ],
  });
  const [{ outcome, trackIdentifier, manifestExternalId, recordUuid }] = body.results as [
    (typeof body.results)[number],
  ];
  return {
    outcome,
    pallet: trackIdentifier ?? String(subject.markerCode),
    // The scan of a wrong pallet has the manifest that is being loaded. The pallet does not belong to it.
    manifest: outcome === 'WRONGLY_LOADED' || outcome === 'UNKNOWN_LOADING' ? null : manifestExternalId,
    record: recordUuid,
  };
}

/** @throws 404 `trackNotFound` with the reason, as far as the text shows it */
function refuseUnknown(
  { t, labelled }: Words,
  reading: Reading,
  isPaused: boolean,
  place: string | undefined,
): never {
  const detail = [
    place ? labelled(reading.text, place) : t('gate.notCalled', { name: reading.text }),
    looksMistyped(reading) && t('scan.keyboard'),
    isPaused && t('work.paused'),
  ];
  return refuseInWords('trackNotFound', detail.filter(Boolean).join(' '), { status: 404 });
}

/** Whether the pallet was loaded before this scan was made. A scan that is sent again is no repetition. */
const isLoadedBefore = (record: Expected | undefined, { scanDate }: ScanForm): boolean =>
  record?.loadingStatus === 'LOADED' && scanDate !== undefined && (record.loadingDate ?? 0) < scanDate;

/** The message about a scan, readable from a distance. */
function scanAnswer(
  { t, labelled }: Words,
  result: Result,
  {
    isRepeat = false,
    place,
    hint: more,
  }: { isRepeat?: boolean; place?: string | undefined; hint?: string | false } = {},
): Done {
  const isRepeated = isRepeat && result.outcome === 'LOADED';
  const { ready, outcome } = result;
  // A pallet that has left is known, although it may have no marker.
  const shown = outcome === 'UNKNOWN_LOADING' && place ? 'WRONGLY_LOADED' : outcome;
  const said = t(isRepeated ? 'scan.again' : ready !== undefined ? 'scan.startFirst' : `scan.${shown}`);
  const hint = [place, more].filter(Boolean).join(' ');
  return {
    done: [labelled(said, result.pallet), hint].filter(Boolean).join('. '),
    data: {
      ...result,
      manifest: ready ?? result.manifest,
      said,
      ...(isRepeated && { repeated: true }),
      ...(hint && { hint }),
    },
  };
}

const severalText = ({ t }: Words, scan: string): string => t('scan.several', { text: visible(scan) });

/** The pallets among which a person has to choose: several pallets that the text means, or pallets that end with it. */
const asked = ({ meant, offered }: Scanned): readonly ScannedPallet[] =>
  meant[0]!.pallets.length > 1 ? meant[0]!.pallets : offered[0]!;

/** Ask which pallet was scanned: in the answer to a script, or else on the page. */
function choiceOf({ c, words }: ActionContext, uuid: string, scan: string, scanned: Scanned): Response {
  if (!wantsJson(c)) return redirect(c, `/app/gate/${uuid}?${new URLSearchParams({ scan })}`);
  return data(c, choiceView(words, scan, scanned));
}

/** The question which pallet was scanned. The id of the chosen pallet is then scanned: a literal id has one meaning. */
const choiceView = (words: Words, scan: string, scanned: Scanned) => ({
  said: words.t('scan.which'),
  question:
    scanned.offered[0]!.length > 0
      ? words.t('tablet.ending', { text: visible(scan) })
      : severalText(words, scan),
  choices: asked(scanned).map(({ wmsId, markerCode, record }) => ({
    pallet: wmsId,
    note: listed(
      record?.manifestExternalId,
      markerCode === null
        ? words.t('gate.noMarkerYet')
        : words.t('gate.marker', { code: String(markerCode) }),
    ),
  })),
});
export type Choice = ReturnType<typeof choiceView>;

/** The question about a scan in the URL of a gate page, for browsers without scripts. Undefined if it has an answer. */
export async function choiceAt(
  { database, words }: PageContext,
  uuid: string,
  scan: string | undefined,
): Promise<Choice | undefined> {
  if (scan === undefined) return undefined;
  const scanned = await scannedAt(database, uuid, [readIdentifier(scan, database.organization)]);
  return asked(scanned).length > 0 ? choiceView(words, scan, scanned) : undefined;
}

/** SQL: the load that is ready at the gate and expects the pallet, with its name as `ready`. */
const readyLoadQuery = (
  { organization }: Database,
  gateUuid: string,
  wmsId: string,
): SQL<
  Pick<BoardLoad, 'kind' | 'uuid'> & { ready: string }
> => sql`SELECT coalesce(h.external_identifier, m.external_identifier) AS ready,
    coalesce(h.uuid, m.uuid) AS uuid, iif(h.uuid IS NULL, 'manifest', 'shipment') AS kind
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
    LEFT JOIN shipment h ON h.uuid = ${shipmentOfManifest}
  WHERE a.organization_uuid = ${organization} AND a.wms_id = ${wmsId} AND a.closed = 0 AND m.gate_uuid = ${gateUuid}
    AND m.manifest_status = 'TO_DO' AND m.deleted_date IS NULL
    AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') LIMIT 1`;

/** SQL: the manifest or shipment of a record, for a batch. */
export const loadOfRecordQuery = (
  { organization }: Database,
  recordUuid: string,
): SQL<{ manifestUuid: string; shipmentUuid: string | null }> => sql`SELECT m.uuid AS "manifestUuid",
    ${shipmentOfManifest} AS "shipmentUuid"
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.uuid = ${recordUuid} AND a.organization_uuid = ${organization}`;
