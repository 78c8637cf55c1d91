import { z } from '@hono/zod-openapi';
import { text } from '../../../http/schema.ts';
import { write } from '../../../http/write.ts';
import type { Command } from '../../../writer/command.ts';
import type { Became } from '../../../writer/each.ts';
import { type Bulk, GateOfRows, outcomeOf, rowsOf } from '../../kit/bulk.tsx';
import type { GateChoice } from '../../kit/detail.tsx';
import { Icon } from '../../kit/icons.tsx';
import { type Action, type At, action } from '../../kit/page.tsx';
import { LABELS, labelsAction } from '../marker/labels.tsx';

interface Holder {
  uuid: string;
  externalIdentifier: string;
  counts: { total: number };
}

/** What can be done with manifests or shipments that are chosen. */
export const HOLDER_BULK: Bulk<Holder, GateChoice> = {
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

const form = z.object({ row: rowsOf(z.uuid()), gate: text(1, 255) });

/** What the list does with those that are chosen: `assign` gives a gate, `markers` finds what is printed. */
export const holderActions = (
  assign: Command<{ uuids: string[]; gateIdentifier: string }, { became: Became[] }>,
  markers: Parameters<typeof labelsAction>[0],
): Record<string, Action> => ({
  assignGates: action('operate', form, async ({ c, words }, _, { row, gate }) => {
    const { body } = await write(c, assign, { uuids: row, gateIdentifier: gate });
    return outcomeOf(body.became, (counts) => words.t('list.atGate', { ...counts, gate }));
  }),
  labels: labelsAction(markers),
});

/** Leads to where one is made, for who may. */
export const newHolder = (what: 'manifest' | 'shipment') => (at: At) =>
  at.may('operate') && (
    <a class="button" href={`/app/${what}/new`}>
      <Icon name="plus" /> {at.words.t(`make.${what}`)}
    </a>
  );
