import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import { inList } from '../../../../core/lib/sql.ts';
import type { Command, ItemResult } from '../../../../core/writer/command.ts';
import type { GateReference } from '../../../../dispatch/gate/rules.ts';
import { CANCELLED_MANIFESTS, type CancelledManifests } from '../../../../dispatch/load/shipment/rules.ts';
import { useWords } from '../../../../messages/context.ts';
import { action, type PageContext } from '../../../ui/confirm/action.ts';
import { cancelReasons, type LoadRef, manifestsDecision } from '../../../ui/confirm/confirm-closing.tsx';
import type { Confirmation } from '../../../ui/confirm/confirmation.tsx';
import { Form } from '../../../ui/form/form.tsx';
import {
  type Bulk,
  type ChosenRows,
  confirmRows,
  GateOfRows,
  outcomeOf,
  RowCount,
  rowsOf,
} from '../../../ui/list/bulk.tsx';
import { itemsInWords, namedRows, writeEach } from '../../../ui/list/bulk-rows.ts';
import { Icon } from '../../../ui/parts/icons.tsx';
import { ACCEPTED } from '../../pallet-list/file.ts';
import { GIVE_MARKERS, giveMarkersToRows, LABELS, type LabelsOf, labelsAction } from '../marker/labels.tsx';

type Kind = LoadRef['kind'];

interface NamedLoad {
  uuid: string;
  externalIdentifier: string;
  counts: { total: number };
}

/** How manifests and shipments are chosen, and the actions that both have. `further` are those behind `More`. */
export const loadBulk = <N extends string>(
  further: Bulk<NamedLoad, GateReference, N>['offers'],
): Bulk<NamedLoad, GateReference, N | 'assignGates' | 'giveMarkers' | 'labels' | 'cancelAll'> => ({
  value: ({ uuid }) => uuid,
  label: ({ externalIdentifier }) => externalIdentifier,
  pallets: ({ counts }) => counts.total,
  offers: (gates, at) => [
    {
      action: 'assignGates',
      right: 'operate',
      label: ({ t }) => t('load.assign'),
      icon: 'gate',
      with: <GateOfRows gates={gates} />,
      needsInput: true,
    },
    GIVE_MARKERS,
    LABELS,
    ...further(gates, at),
    { action: 'cancelAll', right: 'operate', label: ({ t }) => t('bulk.cancel'), icon: 'stop', more: true },
  ],
});

const form = z.object({ ...rowsOf(z.uuid()), gate: text(1, 255) });

/** The maximum number of rows of one command that assigns a gate. */
const GATE_ROWS = 100;

/**
 * The question if some of them are being loaded at another gate. The next pallets of these would be
 * wrong there.
 */
const confirmAssignment =
  (kind: Kind) =>
  async (at: PageContext, _: unknown, { gate, ...chosen }: z.output<typeof form>): Promise<Confirmation> => {
    const {
      database,
      words: { t },
    } = at;
    const status = sql.identifier(kind === 'manifest' ? 'manifest_status' : 'status');
    const loading = await database.all(sql<{ name: string; gate: string }>`SELECT
      h.external_identifier AS name, gate.external_identifier AS gate
      FROM ${sql.identifier(kind)} AS h JOIN gate ON gate.uuid = h.gate_uuid
      WHERE h.uuid ${inList(chosen.row)} AND +h.organization_uuid = ${database.organization}
        AND h.${status} = 'IN_PROGRESS' AND ${gate} NOT IN (gate.external_identifier, gate.uuid)
      ORDER BY name`);
    const question = confirmRows(at, chosen, t('load.assign'));
    if (loading.length === 0) return question;
    const title = t('list.moveTitle', { count: loading.length, gate });
    const names = loading.map((one) => t('list.moveOne', one));
    if (chosen.seen !== undefined)
      return { ...question, text: <MovedToo title={title} names={names} of={chosen} /> };
    return {
      title,
      named: [{ heading: t('list.moveLoading'), names, more: false }],
      text: <p>{t('list.moveText', { gate })}</p>,
      yes: t('list.moveYes'),
      no: t('ask.keep'),
      keeps: true,
      note: false,
    };
  };

/**
 * The text of a question about all rows of a filter, if some are being loaded. Its digest has no names. So a form
 * that is sent again after they moved is not asked again.
 */
const MovedToo: FC<{ title: string; names: string[]; of: ChosenRows }> = ({ title, names, of }) => (
  <>
    <RowCount of={of} />
    <p>
      <strong>{title}</strong> {useWords().list(names)}
    </p>
  </>
);

/**
 * The question before loads are cancelled: how many are open, and how many pallets are loaded. These numbers are in its
 * text and not in its digest. So a form that is sent again after a part was cancelled is not asked again.
 */
const confirmCancelling =
  (kind: Kind) =>
  async ({ database, words: { t } }: PageContext, _: unknown, chosen: ChosenRows): Promise<Confirmation> => {
    const rows = inList(chosen.row);
    const manifests =
      kind === 'manifest'
        ? sql`manifest_uuid ${rows}`
        : sql`manifest_uuid IN (SELECT manifest_uuid FROM shipment_manifest
            WHERE organization_uuid = ${database.organization} AND shipment_uuid ${rows})`;
    const { open, loaded } = await database.ask({
      open: sql<{ total: number }>`SELECT count(*) AS total FROM ${sql.identifier(kind)}
        WHERE uuid ${rows} AND +organization_uuid = ${database.organization} AND close_date IS NULL`,
      loaded: sql<{ total: number }>`SELECT count(*) AS total FROM asset_loading
        WHERE organization_uuid = ${database.organization} AND ${manifests} AND +loading_status = 'LOADED' AND +closed = 0`,
    });
    const [count, aboard] = [open[0]!.total, loaded[0]!.total];
    return {
      title: t('bulk.cancelTitle', { kind, count: chosen.row.length }),
      text: (
        <>
          <RowCount of={chosen} />
          <p>{t('bulk.cancelCounts', { count, aboard })}</p>
          <p>{t('bulk.cancelText', { kind })}</p>
        </>
      ),
      ...(kind === 'shipment' && { decision: manifestsDecision(t) }),
      yes: t('bulk.cancelYes', { kind, count: chosen.row.length }),
      no: t('ask.keep'),
      keeps: true,
      reasons: cancelReasons(t),
    };
  };

/**
 * The list's bulk actions that manifests and shipments share. `assign` assigns a gate, `cancel` cancels one load, and
 * `labelsOf` finds the labels to print.
 */
export const loadBulkActions = <I,>(
  kind: Kind,
  {
    assign,
    cancel,
    cancelInput,
    labelsOf,
  }: {
    assign: Command<{ uuids: string[]; gateIdentifier: string }, { became: ItemResult[] }>;
    cancel: Command<I, unknown>;
    cancelInput: (uuid: string, manifests: CancelledManifests | undefined) => I;
    labelsOf: LabelsOf;
  },
) => ({
  assignGates: action(
    'operate',
    form,
    async ({ c, words, submission }, _, { row, gate }) => {
      const became: ItemResult[] = [];
      for (let first = 0; first < row.length; first += GATE_ROWS) {
        const { key } = submission;
        const own = { ...submission, key: key && `${key} ${first}` };
        const uuids = row.slice(first, first + GATE_ROWS);
        const { body } = await write(c, own, assign, { uuids, gateIdentifier: gate });
        for (const item of itemsInWords(words, body.became)) became.push(item);
      }
      return outcomeOf(became, (counts) => words.t('list.atGate', { ...counts, gate }));
    },
    confirmAssignment(kind),
  ),
  cancelAll: action(
    'operate',
    z.object({ ...rowsOf(z.uuid()), manifests: z.enum(CANCELLED_MANIFESTS).optional() }),
    async (at, _, { row, manifests }) => {
      const rows = await namedRows(at, kind, row);
      const became = await writeEach(at, rows, cancel, (uuid) => cancelInput(uuid, manifests));
      return outcomeOf(became, (counts) => at.words.t('bulk.cancelled', counts));
    },
    confirmCancelling(kind),
  ),
  giveMarkers: giveMarkersToRows(kind),
  labels: labelsAction(labelsOf),
});

/** A link to the page that creates a manifest or shipment, and the import of a file, if the user may create one. */
export const newLoad = (what: Kind) => (at: PageContext) =>
  at.may('operate') && (
    <>
      <FileDrop />
      <a class="button" href={`/app/${what}/new`}>
        <Icon name="plus" /> {at.words.t(`make.${what}`)}
      </a>
    </>
  );

/**
 * The form that imports a file. A script sends it when a file is chosen, or dropped anywhere on the page. Without the
 * script it is not shown, and the page that creates a manifest takes the file.
 */
const FileDrop: FC = () => {
  const { t } = useWords();
  return (
    <Form<{ create: unknown }> action="create" to="/app/manifest/new" class="file-drop" multipart>
      <label class="button quiet">
        <Icon name="download" /> {t('orders.drop')}
        <input type="file" name="file" accept={ACCEPTED} data-drop={t('orders.dropHere')} />
      </label>
    </Form>
  );
};
