import { type SQL, sql } from 'drizzle-orm';
import { refuseMissing } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import type { StoredField } from '../../../dispatch/custom-field/rules.ts';
import type { LoadingStatus, Tally } from '../../../dispatch/load/shared/table.ts';
import { shipmentFieldsQuery } from '../../../dispatch/load/shipment/store.ts';
import type { Words } from '../../../messages/words.ts';
import { SHORT_REASONS } from '../../pages/reason-rules.ts';
import type { QuestionField } from '../form/asked-fields.tsx';
import type { PageContext } from './action.ts';
import type { Confirmation } from './confirmation.tsx';

/** A shipment or a manifest. */
export interface LoadRef {
  kind: 'shipment' | 'manifest';
  uuid: string;
}

/** The maximum number of pallets that a question lists by name. */
const NAMED_MAXIMUM = 20;

interface Standing {
  externalIdentifier: string;
  status: string;
  counts: Tally;
  missing: Named[];
  wrong: Named[];
  /** The custom fields of a shipment. */
  fields: StoredField[];
}
interface Named {
  wmsId: string | null;
  markerCode: number | null;
  manifestExternalId: string;
}

/** Read which pallets of a load are loaded, missing and wrong, in one round trip. */
async function standingOf(database: Database, { kind, uuid }: LoadRef): Promise<Standing> {
  const { organization } = database;
  const manifests =
    kind === 'manifest'
      ? sql`(${uuid})`
      : sql`(SELECT s.manifest_uuid FROM shipment_manifest s CROSS JOIN manifest n ON n.uuid = s.manifest_uuid
          WHERE s.organization_uuid = ${organization} AND s.shipment_uuid = ${uuid} AND n.manifest_status <> 'CANCELLED')`;
  const records = sql`FROM asset_loading a WHERE a.organization_uuid = ${organization} AND a.manifest_uuid IN ${manifests}`;
  const named = (statuses: SQL) => sql<Named>`SELECT a.wms_id AS "wmsId", a.marker_code AS "markerCode",
      (SELECT external_identifier FROM manifest m WHERE m.uuid = a.manifest_uuid) AS "manifestExternalId"
    ${records} AND a.loading_status IN ${statuses} ORDER BY +a.wms_id, a.uuid LIMIT ${NAMED_MAXIMUM + 1}`;
  const status = kind === 'shipment' ? sql`status` : sql`manifest_status`;
  const rows = await database.ask({
    holders: sql<
      Pick<Standing, 'externalIdentifier' | 'status'>
    >`SELECT external_identifier AS "externalIdentifier",
        ${status} AS status FROM ${sql.identifier(kind)}
      WHERE uuid = ${uuid} AND organization_uuid = ${organization} AND deleted_date IS NULL`,
    counts: sql<{
      status: LoadingStatus;
      number: number;
    }>`SELECT a.loading_status AS status, count(*) AS number
      ${records} GROUP BY a.loading_status`,
    missing: named(sql`('NOT_LOADED', 'UNLOADED', 'OFFLOADED')`),
    wrong: named(sql`('WRONGLY_LOADED', 'UNKNOWN_LOADING')`),
    fields: kind === 'shipment' ? shipmentFieldsQuery(database, uuid) : undefined,
  });
  const [load] = rows.holders;
  if (!load) {
    const code = kind === 'shipment' ? 'shipmentNotFound' : 'manifestNotFound';
    return refuseMissing(code, uuid);
  }
  return {
    ...load,
    counts: Object.fromEntries(rows.counts.map(({ status: of, number }) => [of, number])),
    missing: rows.missing,
    wrong: rows.wrong,
    fields: rows.fields,
  };
}

const nameOf = ({ t }: Words, { wmsId, markerCode, manifestExternalId }: Named): string =>
  `${wmsId ?? t('gate.marker', { code: String(markerCode ?? '?') })}, ${manifestExternalId}`;

const namedList = (words: Words, heading: string, items: readonly Named[]) =>
  items.length === 0
    ? []
    : [
        {
          heading,
          names: items.slice(0, NAMED_MAXIMUM).map((item) => nameOf(words, item)),
          more: items.length > NAMED_MAXIMUM,
        },
      ];

/** The numbers of loaded, missing and wrong pallets. */
function figuresOf({ t }: Words, standing: Standing, missingWord = t('close.missing')) {
  const { NOT_LOADED = 0, LOADED = 0, UNLOADED = 0, OFFLOADED = 0 } = standing.counts;
  const { WRONGLY_LOADED = 0, UNKNOWN_LOADING = 0 } = standing.counts;
  const missing = NOT_LOADED + UNLOADED + OFFLOADED;
  const wrong = WRONGLY_LOADED + UNKNOWN_LOADING;
  const tally: Confirmation['tally'] = [
    { count: LOADED, word: t('close.loaded'), icon: 'check', tone: 'ok' },
    { count: missing, word: missingWord, icon: 'short', tone: 'warn' },
    { count: wrong, word: t('close.wrong'), icon: 'stop', tone: 'late' },
  ];
  return { loaded: LOADED, missing, wrong, tally };
}

/** The page context that a question needs. */
type Asking = Pick<PageContext, 'database' | 'words'>;

/**
 * The question before a load is completed. It is asked if a pallet is missing or wrong, if the load has no pallets, or
 * if the question has inputs for fields of the load. `toAsk` returns these inputs.
 */
export async function confirmCompletion(
  { database, words }: Asking,
  load: LoadRef,
  toAsk: (known: readonly StoredField[], name: string) => QuestionField[] = () => [],
): Promise<Confirmation> {
  const { t } = words;
  const standing = await standingOf(database, load);
  const { loaded, missing, wrong, tally } = figuresOf(words, standing);
  const fields = toAsk(standing.fields, standing.externalIdentifier);
  const { kind } = load;
  const name = standing.externalIdentifier;
  const amiss = words.list([
    ...(missing > 0 ? [t('close.missingCount', { count: missing })] : []),
    ...(wrong > 0 ? [t('close.wrongCount', { count: wrong })] : []),
    ...(missing + wrong + loaded === 0 ? [t('close.noPallet')] : []),
  ]);
  return {
    title: amiss ? t('close.title', { amiss }) : t('close.titleAll', { name }),
    tally,
    named: [
      ...namedList(words, t('close.wrong'), standing.wrong),
      ...namedList(words, t('close.missing'), standing.missing),
    ],
    text: <p>{t('close.text', { kind, name, loaded, short: amiss ? 'yes' : 'no' })}</p>,
    yes: amiss ? t('close.yesAmiss', { amiss }) : t('close.yes'),
    no: t('close.no'),
    reasons:
      missing > 0 ? Object.entries(SHORT_REASONS).map(([value, key]) => ({ value, label: t(key) })) : [],
    note: amiss !== '',
    fields,
    needed: standing.status === 'IN_PROGRESS' && (amiss !== '' || fields.length > 0),
  };
}

/** The reasons to cancel a load. The audit log stores them in one language, because everybody reads it. */
export const cancelReasons = (t: Words['t']): NonNullable<Confirmation['reasons']> => [
  { value: 'No carrier', label: t('reason.noCarrier') },
  { value: 'Order withdrawn', label: t('reason.withdrawn') },
  { value: 'Entered by mistake', label: t('reason.mistake') },
];

/**
 * The decision about the manifests of a cancelled shipment. Planning them again is preselected for every reason, because
 * a planned manifest can still be cancelled later. A cancelled manifest stays cancelled.
 */
export const manifestsDecision = (t: Words['t']): NonNullable<Confirmation['decision']> => ({
  name: 'manifests',
  label: t('cancel.manifests'),
  options: [
    { value: 'RELEASE', label: t('cancel.release') },
    { value: 'CANCEL', label: t('cancel.withManifests') },
  ],
});

/** The question before a load is cancelled. The manifests of a shipment are planned again, or cancelled, too. */
export async function confirmCancellation({ database, words }: Asking, load: LoadRef): Promise<Confirmation> {
  const { t } = words;
  const standing = await standingOf(database, load);
  const { loaded, missing, wrong, tally } = figuresOf(words, standing, t('close.notLoaded'));
  const { kind } = load;
  return {
    title: t('cancel.title', { kind, name: standing.externalIdentifier }),
    tally,
    named: namedList(words, t('close.wrong'), standing.wrong),
    text: (
      <>
        <p>
          {loaded + wrong > 0
            ? t('cancel.aboard', { loaded, wrong })
            : t('cancel.nothing', { count: missing })}
        </p>
        <p>{t('cancel.final', { kind })}</p>
      </>
    ),
    ...(kind === 'shipment' && { decision: manifestsDecision(t) }),
    yes: loaded > 0 ? t('cancel.yesAboard', { count: loaded }) : t('cancel.yes', { kind }),
    no: t('ask.keep'),
    reasons: cancelReasons(t),
    needed: !['COMPLETED', 'CANCELLED'].includes(standing.status),
  };
}

/**
 * The question before a manifest is detached from a shipment, or a pallet from a manifest, during
 * loading.
 */
export async function confirmDetachment(
  { database, words }: Asking,
  load: LoadRef,
  what: { manifestUuid: string } | { trackIdentifier: string },
): Promise<Confirmation> {
  const { t } = words;
  if ('manifestUuid' in what) {
    const [whole, part] = await Promise.all([
      standingOf(database, load),
      standingOf(database, { kind: 'manifest', uuid: what.manifestUuid }),
    ]);
    const { loaded, tally } = figuresOf(words, part);
    const said = { manifest: part.externalIdentifier, shipment: whole.externalIdentifier };
    return {
      title: t('detach.titleManifest', said),
      tally,
      text: <p>{t('detach.textManifest', { loaded })}</p>,
      yes: loaded > 0 ? t('detach.yesAboard', { loaded }) : t('detach.yes'),
      no: t('ask.keep'),
      needed: whole.status === 'IN_PROGRESS',
    };
  }
  const standing = await standingOf(database, load);
  const { loaded, missing } = figuresOf(words, standing);
  const total = loaded + missing;
  return {
    title: t('detach.titlePallet', { pallet: what.trackIdentifier, manifest: standing.externalIdentifier }),
    text: <p>{t('detach.textPallet', { loaded, total, left: Math.max(total - 1, 0) })}</p>,
    yes: t('detach.yes'),
    no: t('ask.keep'),
    needed: standing.status === 'IN_PROGRESS',
  };
}
