import { taggedToken } from '../../../core/lib/id.ts';
import type { Write } from '../../../core/lib/scope.ts';
import { fold } from '../../../core/lib/text.ts';
import type { Context } from '../../../core/writer/command.ts';
import type { StoredField } from '../../custom-field/rules.ts';
import { insertFieldsOf } from '../../custom-field/store.ts';
import { shipment } from './table.ts';

/** A shipment to insert. It has the status TO_DO. */
export interface InsertedShipment {
  uuid: string;
  externalIdentifier: string;
  gateUuid: string | null;
  notes: string | null;
  fields: readonly StoredField[];
}

/** Insert shipments with their custom fields, and without manifests. Each gets a token for its driver. */
export const insertShipments = ({ scope, now }: Context, shipments: readonly InsertedShipment[]): Write[] => [
  ...scope.insert(
    shipment,
    shipments.map(({ fields: _, ...row }) => ({
      ...row,
      status: 'TO_DO' as const,
      driverToken: taggedToken(scope.organization),
      foldedIdentifier: fold(row.externalIdentifier),
      foldedNotes: fold(row.notes ?? ''),
      createDate: now,
      updateDate: now,
    })),
  ),
  ...insertFieldsOf(
    scope,
    shipments.flatMap(({ uuid: ownerUuid, fields }) => fields.map((field) => ({ ownerUuid, ...field }))),
  ),
];
