import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import { inList } from '../../../../core/lib/sql.ts';
import type { Command } from '../../../../core/writer/command.ts';
import type { ItemResult } from '../../../../core/writer/decide-items.ts';
import { action, type PageContext } from '../../kit/action.ts';
import { type Bulk, GateOfRows, outcomeOf, rowsField } from '../../kit/bulk.tsx';
import { type Confirmation, NOT_ASKED } from '../../kit/confirmation.tsx';
import type { GateChoice } from '../../kit/gates.tsx';
import { Icon } from '../../kit/icons.tsx';
import { LABELS, labelsAction } from '../marker/labels.tsx';

interface NamedLoad {
  uuid: string;
  externalIdentifier: string;
  counts: { total: number };
}

/** The actions on chosen manifests or shipments. */
export const LOAD_BULK: Bulk<NamedLoad, GateChoice, 'assignGates' | 'labels'> = {
  value: ({ uuid }) => uuid,
  label: ({ externalIdentifier }) => externalIdentifier,
  pallets: ({ counts }) => counts.total,
  offers: (gates) => [
    {
      action: 'assignGates',
      right: 'operate',
      label: ({ t }) => t('load.assign'),
      icon: 'gate',
      with: <GateOfRows gates={gates} />,
    },
    LABELS,
  ],
};

const form = z.object({ row: rowsField(z.uuid()), gate: text(1, 255) });

/**
 * The question if some of them are being loaded at another gate. The next pallets of these would be
 * wrong there.
 */
const confirmAssignment =
  (kind: 'manifest' | 'shipment') =>
  async (
    { database, words: { t } }: PageContext,
    _: unknown,
    { row, gate }: z.output<typeof form>,
  ): Promise<Confirmation> => {
    const status = sql.identifier(kind === 'manifest' ? 'manifest_status' : 'status');
    const loading = await database.all(sql<{ name: string; gate: string }>`SELECT
      h.external_identifier AS name, gate.external_identifier AS gate
      FROM ${sql.identifier(kind)} AS h JOIN gate ON gate.uuid = h.gate_uuid
      WHERE h.uuid ${inList(row)} AND +h.organization_uuid = ${database.organization}
        AND h.${status} = 'IN_PROGRESS' AND ${gate} NOT IN (gate.external_identifier, gate.uuid)
      ORDER BY name`);
    if (loading.length === 0) return NOT_ASKED;
    const count = loading.length;
    return {
      title: t('list.moveTitle', { count, gate }),
      named: [
        {
          heading: t('list.moveLoading'),
          names: loading.map((one) => t('list.moveOne', one)),
          more: false,
        },
      ],
      text: <p>{t('list.moveText', { gate })}</p>,
      yes: t('list.moveYes'),
      no: t('ask.keep'),
      note: false,
    };
  };

/** The list's bulk actions. `assign` assigns a gate, and `markers` finds the labels to print. */
export const loadBulkActions = (
  kind: 'manifest' | 'shipment',
  assign: Command<{ uuids: string[]; gateIdentifier: string }, { became: ItemResult[] }>,
  markers: Parameters<typeof labelsAction>[0],
) => ({
  assignGates: action(
    'operate',
    form,
    async ({ c, words, submission }, _, { row, gate }) => {
      const { body } = await write(c, submission, assign, { uuids: row, gateIdentifier: gate });
      return outcomeOf(body.became, (counts) => words.t('list.atGate', { ...counts, gate }));
    },
    confirmAssignment(kind),
  ),
  labels: labelsAction(markers),
});

/** A link to the page that creates a manifest or shipment, if the user may create one. */
export const newLoad = (what: 'manifest' | 'shipment') => (at: PageContext) =>
  at.may('operate') && (
    <a class="button" href={`/app/${what}/new`}>
      <Icon name="plus" /> {at.words.t(`make.${what}`)}
    </a>
  );
