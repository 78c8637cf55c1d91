import { z } from '@hono/zod-openapi';
import { text } from '../../../http/schema.ts';
import { write } from '../../../http/write.ts';
import type { Command } from '../../../writer/command.ts';
import type { Became } from '../../../writer/each.ts';
import { GateOfRows, type Offer, outcomeOf, rowsOf } from '../../kit/bulk.tsx';
import type { GateChoice } from '../../kit/detail.tsx';
import { type Action, action } from '../../kit/page.tsx';
import { LABELS } from '../marker/labels.ts';

/** What can be done with manifests or shipments that are chosen. */
export const holderOffers = (gates: readonly GateChoice[]): readonly Offer[] => [
  {
    action: 'assignGates',
    right: 'operate',
    label: 'Assign gate',
    icon: 'gate',
    with: <GateOfRows gates={gates} />,
  },
  LABELS,
];

const form = z.object({ row: rowsOf(z.uuid()), gate: text(1, 255) });

/** Assigns a gate to those that are chosen. */
export const assignGates = (
  assign: Command<{ uuids: string[]; gateIdentifier: string }, { became: Became[] }>,
): Action =>
  action('operate', form, async ({ c }, _, { row, gate }) => {
    const { body } = await write(c, assign, { uuids: row, gateIdentifier: gate });
    return outcomeOf(`are at gate ${gate}.`, body.became);
  });
