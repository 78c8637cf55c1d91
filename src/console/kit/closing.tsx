import { type SQL, sql } from 'drizzle-orm';
import { refuse } from '../../http/write.ts';
import type { Database } from '../../lib/database.ts';
import type { LoadingStatus, Tally } from '../../manifest/asset-table.ts';
import type { Question } from './question.tsx';

/** A shipment or a manifest. */
export interface Holder {
  kind: 'shipment' | 'manifest';
  uuid: string;
}

/** Pallets that a question names one by one. */
const NAMED_MAXIMUM = 20;

interface Standing {
  externalIdentifier: string;
  status: string;
  counts: Tally;
  missing: Named[];
  wrong: Named[];
}
interface Named {
  wmsId: string | null;
  markerCode: number | null;
  manifestExternalId: string;
}

/** What is aboard, missing and wrong of a shipment or manifest: one round trip. */
async function standingOf(database: Database, { kind, uuid }: Holder): Promise<Standing> {
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
  });
  const [holder] = rows.holders;
  if (!holder) {
    const code = kind === 'shipment' ? 'shipmentNotFound' : 'manifestNotFound';
    return refuse(code, `There is no such ${kind}.`, { status: 404 });
  }
  return {
    ...holder,
    counts: Object.fromEntries(rows.counts.map(({ status: of, number }) => [of, number])),
    missing: rows.missing,
    wrong: rows.wrong,
  };
}

const pallets = (count: number, of: string): string => `${count} ${of}${count === 1 ? 'pallet' : 'pallets'}`;

const nameOf = ({ wmsId, markerCode, manifestExternalId }: Named): string =>
  `${wmsId ?? `marker ${markerCode ?? '?'}`}, ${manifestExternalId}`;

const namedList = (heading: string, items: readonly Named[]) =>
  items.length === 0
    ? []
    : [
        {
          heading,
          names: items.slice(0, NAMED_MAXIMUM).map(nameOf),
          more: items.length > NAMED_MAXIMUM,
        },
      ];

/** Numbers of what is loaded, missing and wrong, and what of that has a name. */
function told(standing: Standing) {
  const { NOT_LOADED = 0, LOADED = 0, UNLOADED = 0, OFFLOADED = 0 } = standing.counts;
  const { WRONGLY_LOADED = 0, UNKNOWN_LOADING = 0 } = standing.counts;
  const missing = NOT_LOADED + UNLOADED + OFFLOADED;
  const wrong = WRONGLY_LOADED + UNKNOWN_LOADING;
  const tally: Question['tally'] = [
    { count: LOADED, word: 'Loaded', icon: 'check', tone: 'ok' },
    { count: missing, word: 'Missing', icon: 'short', tone: 'warn' },
    { count: wrong, word: 'Wrong aboard', icon: 'stop', tone: 'late' },
  ];
  return { loaded: LOADED, missing, wrong, tally };
}

/** What completing would do: asked where something is missing or wrong, or nothing was to be loaded. */
export async function askToComplete(database: Database, holder: Holder): Promise<Question> {
  const standing = await standingOf(database, holder);
  const { loaded, missing, wrong, tally } = told(standing);
  const amiss = [
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(wrong > 0 ? [`${wrong} wrong aboard`] : []),
    ...(missing + wrong + loaded === 0 ? ['no pallet'] : []),
  ].join(' and ');
  return {
    title: amiss ? `Complete with ${amiss}?` : `Complete ${standing.externalIdentifier}?`,
    tally,
    named: [...namedList('Wrong aboard', standing.wrong), ...namedList('Missing', standing.missing)],
    text: (
      <p>
        The {holder.kind} {standing.externalIdentifier} closes with {pallets(loaded, 'loaded ')}
        {amiss && ', as completed short'}. That stands in the audit log with your reason. It cannot be opened
        again.
      </p>
    ),
    yes: amiss ? `Complete, ${amiss}` : 'Complete',
    no: 'Back to loading',
    reasons: missing > 0 ? ['Next truck', 'Not found', 'Damaged'] : [],
    needed: standing.status === 'IN_PROGRESS' && amiss !== '',
  };
}

/** What cancelling would do. */
export async function askToCancel(database: Database, holder: Holder): Promise<Question> {
  const standing = await standingOf(database, holder);
  const { loaded, missing, wrong, tally } = told(standing);
  const name = `${holder.kind} ${standing.externalIdentifier}`;
  return {
    title: `Cancel ${name}?`,
    tally,
    named: namedList('Wrong aboard', standing.wrong),
    text: (
      <>
        {loaded + wrong > 0 ? (
          <p>
            <strong>{pallets(loaded, 'loaded ')}</strong>
            {wrong > 0 && ` and ${pallets(wrong, 'wrong ')}`} stay aboard: nobody is told to take them off.
          </p>
        ) : (
          <p>Nothing of it is loaded; {pallets(missing, '')} will not be.</p>
        )}
        <p>
          It {holder.kind === 'shipment' && 'and all of its manifests '}
          {holder.kind === 'shipment' ? 'stay' : 'stays'} cancelled: nobody can undo that.
        </p>
      </>
    ),
    yes: loaded > 0 ? `Cancel, ${loaded} aboard` : `Cancel ${holder.kind}`,
    no: 'Keep it',
    reasons: ['No carrier', 'Order withdrawn', 'Entered by mistake'],
    needed: !['COMPLETED', 'CANCELLED'].includes(standing.status),
  };
}

/** What taking a manifest off a shipment, or a pallet off a manifest, would do while it is loaded. */
export async function askToDetach(
  database: Database,
  holder: Holder,
  what: { manifestUuid: string } | { trackIdentifier: string },
): Promise<Question> {
  if ('manifestUuid' in what) {
    const [whole, part] = await Promise.all([
      standingOf(database, holder),
      standingOf(database, { kind: 'manifest', uuid: what.manifestUuid }),
    ]);
    const { loaded, tally } = told(part);
    return {
      title: `Detach ${part.externalIdentifier} from ${whole.externalIdentifier}?`,
      tally,
      text: (
        <p>
          The shipment is being loaded. {pallets(loaded, 'loaded ')} of this manifest{' '}
          {loaded === 1 ? 'stands' : 'stand'} aboard; the manifest goes back to planned, without a gate.
        </p>
      ),
      yes: loaded > 0 ? `Detach, ${loaded} aboard` : 'Detach',
      no: 'Keep it',
      needed: whole.status === 'IN_PROGRESS',
    };
  }
  const standing = await standingOf(database, holder);
  const { loaded, missing } = told(standing);
  return {
    title: `Take ${what.trackIdentifier} off ${standing.externalIdentifier}?`,
    text: (
      <p>
        The manifest is being loaded: {loaded} of {loaded + missing} are aboard. It will expect{' '}
        {Math.max(loaded + missing - 1, 0)}, and the pallet is wrong aboard if it is read again.
      </p>
    ),
    yes: 'Take off',
    no: 'Keep it',
    needed: standing.status === 'IN_PROGRESS',
  };
}
