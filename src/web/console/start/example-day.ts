import { change } from '../../../access/organization/change-organization.ts';
import { setUpShipments } from '../../../access/organization/shipment-commands.ts';
import { write } from '../../../core/http/write.ts';
import { type ProblemCode, ProblemError } from '../../../core/lib/problem.ts';
import { zonedIn } from '../../../core/lib/zone.ts';
import type { Command } from '../../../core/writer/command.ts';
import { FIELD_ROLES } from '../../../core/writer/settings.ts';
import { createGates } from '../../../dispatch/gate/commands.ts';
import { createManifest } from '../../../dispatch/load/manifest/creation-commands.ts';
import { createShipment } from '../../../dispatch/load/shipment/commands.ts';
import { changeShipmentStatus } from '../../../dispatch/load/shipment/lifecycle-commands.ts';
import { roleKey } from '../../../dispatch/load/shipment/rules.ts';
import { markLoading } from '../../../dispatch/loading/commands.ts';
import { allocateAndCouple } from '../../../dispatch/track/coupling-commands.ts';
import type { ActionContext } from '../../ui/confirm/action.ts';
import { gatesQuery } from '../../ui/list/gates.tsx';
import { EXAMPLE_GATES, type ExampleShipment, exampleDay, numberedGates } from './example-rules.ts';

/** Refusals of a step that was done by an earlier attempt. */
const DONE_BEFORE: readonly ProblemCode[] = [
  'externalIdentifierInUse',
  'manifestInAnotherShipment',
  'manifestNotPlanned',
  'wmsIdAlreadyCoupled',
  'transitionNotAllowed',
  'shipmentClosed',
  'manifestClosed',
];

/**
 * Create the example day with the commands of the pages, one after the other. If it is interrupted, the next attempt
 * continues: steps that are done already are skipped.
 */
export async function fillExampleDay(at: ActionContext): Promise<void> {
  const { c, session, submission, words } = at;
  let step = 0;
  const run = async <I, A>(command: Command<I, A>, input: I): Promise<A | undefined> => {
    step += 1;
    const key = submission.key === null ? null : `${submission.key} ${step}`;
    try {
      return (await write(c, { ...submission, key }, command, input)).body;
    } catch (error) {
      if (error instanceof ProblemError && DONE_BEFORE.includes(error.refusal.code)) return undefined;
      throw error;
    }
  };
  const { shipmentCustomFields: fields } = await change(c, session.organization.uuid, undefined, async () => {
    const written = await write(c, { ...submission, key: `${submission.key} 0` }, setUpShipments, {
      roles: [...FIELD_ROLES],
    });
    return written.body;
  });
  let gates = await at.database.all(gatesQuery(at.database));
  if (gates.length === 0) {
    await run(createGates, { gates: numberedGates(words.t('start.dock'), EXAMPLE_GATES) });
    gates = await at.database.all(gatesQuery(at.database));
  }
  for (const truck of exampleDay(Date.now())) {
    const gate = truck.gate === null ? null : gates[truck.gate % gates.length]!.uuid;
    await fillTruck(run, truck, {
      gate,
      notes: words.t('example.note'),
      customFields: [
        { fieldKey: roleKey(fields, 'CARRIER')!, fieldValue: truck.carrier },
        {
          fieldKey: roleKey(fields, 'PLANNED_DEPARTURE')!,
          fieldValue: zonedIn(session.organization.timeZone, truck.departureDate),
        },
      ],
    });
  }
}

type Run = <I, A>(command: Command<I, A>, input: I) => Promise<A | undefined>;

async function fillTruck(
  run: Run,
  { shipment, manifests, status, loaded }: ExampleShipment,
  of: { gate: string | null; notes: string; customFields: { fieldKey: string; fieldValue: string }[] },
): Promise<void> {
  for (const { externalIdentifier, pallets } of manifests) {
    await run(createManifest, {
      externalIdentifier,
      manifestStatus: 'PLANNED',
      gateExternalId: null,
      customFields: [],
      assets: pallets,
    });
  }
  for (const wmsId of loaded) await run(allocateAndCouple, { wmsId, customFields: [], clientId: null });
  await run(createShipment, {
    identifier: shipment,
    gateIdentifier: of.gate,
    notes: of.notes,
    manifests: manifests.map(({ externalIdentifier }) => ({
      manifestExternalId: externalIdentifier,
      manifestUuid: null,
    })),
    customFields: of.customFields,
  });
  if (status === 'TO_DO') return;
  await run(changeShipmentStatus, { identifier: shipment, status: 'IN_PROGRESS' });
  for (const trackIdentifier of loaded) {
    await run(markLoading, {
      shipmentIdentifier: shipment,
      target: { by: 'track', trackIdentifier },
      status: 'LOADED',
      gateIdentifier: null,
      comment: null,
    });
  }
  if (status === 'COMPLETED') await run(changeShipmentStatus, { identifier: shipment, status });
}
