import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { command, mergeChanges } from '../../../../src/core/writer/command.ts';
import type { PalletOrMarker } from '../../../../src/dispatch/alert/changes.ts';
import { palletsAboardChange } from '../../../../src/dispatch/load/shared/alert-changes.ts';
import { commands } from '../../../../src/features.ts';
import { bodyOf, request, writerOf } from '../../core/writer/requests.ts';
import type { Dock } from '../load/shipment/dock.ts';

const { DB: db } = env as unknown as { DB: D1Database };

/** The pallets and markers that open alerts cover. */
export async function covered(dock: Dock): Promise<(string | number)[]> {
  const { results } = await db
    .prepare('SELECT wms_id, marker_code FROM alert_pallet WHERE organization_uuid = ?1 ORDER BY 1, 2')
    .bind(dock.uuid)
    .all<{ wms_id: string; marker_code: number }>();
  return results.map(({ wms_id, marker_code }) => wms_id || marker_code);
}

/** A load that ends while pallets are aboard. */
export interface Ending {
  kind?: 'Shipment' | 'Manifest';
  load: string;
  gate: string;
  pallets: PalletOrMarker[];
}

/** A command that only raises the alert. */
const endLoad = command('endLoad', {
  ask: ({ scope }, { kind = 'Shipment', load, gate }: Ending) => ({
    loads: sql<{ uuid: string }>`SELECT uuid FROM ${sql.identifier(kind.toLowerCase())}
      WHERE organization_uuid = ${scope.organization} AND external_identifier = ${load}`,
    gates: sql<{ uuid: string }>`SELECT uuid FROM gate
      WHERE organization_uuid = ${scope.organization} AND external_identifier = ${gate}`,
  }),
  decide(context, { kind = 'Shipment', load, gate, pallets }, { loads: [found], gates: [at] }) {
    const ended = {
      kind,
      uuid: found!.uuid,
      externalIdentifier: load,
      gateUuid: at!.uuid,
      gateExternalId: gate,
    };
    return mergeChanges({ value: {} }, [palletsAboardChange(context, ended, pallets)]);
  },
});

/** Raise the alert about pallets that are aboard a load. */
export async function leaveAboard(dock: Dock, ending: Ending): Promise<void> {
  const writer = writerOf(dock, undefined, { ...commands, endLoad });
  bodyOf(await writer.execute(request('endLoad', ending)));
}
