import { sql } from 'drizzle-orm';
import { dotsRefusal } from '../../../core/lib/dots.ts';
import { newUuid } from '../../../core/lib/id.ts';
import { missingIn, named, quoted } from '../../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../../core/lib/problem.ts';
import { listChanges } from '../../../core/writer/chain.ts';
import {
  type ChangePart,
  type Context,
  command,
  isRefusal,
  mergeChanges,
} from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import { resolvedAlertsChange } from '../../alert/changes.ts';
import { diffFields, filledFields, keysOf, type StoredField } from '../../custom-field/rules.ts';
import { auditFields, fieldsQuery } from '../../custom-field/store.ts';
import { type AssignedGate, assignedTo } from '../../gate/rules.ts';
import { gateQuery } from '../../gate/store.ts';
import { palletName } from '../../track/rules.ts';
import { loadUuidOf, settledShortQuery } from '../shared/alert-changes.ts';
import { isLoadOpen } from '../shared/status-rules.ts';
import {
  askManifest,
  auditedManifest,
  foundManifest,
  insertManifests,
  linkedBackorderChange,
  linkOf,
} from './changes.ts';
import { dottedAssets, factsOf, type ManifestFacts, newFactChanges, UNSET_FACTS } from './rules.ts';
import type { NewManifest } from './schema.ts';
import {
  backorderQuery,
  leftAssetsQuery,
  type ManifestState,
  manifestEntity,
  manifestUuidOf,
  takenQuery,
} from './store.ts';

/** Create a manifest with its assets and fields. */
export const createManifest = command('createManifest', {
  ask: ({ scope }, { externalIdentifier, gateExternalId }: NewManifest) => ({
    taken: takenQuery(scope, externalIdentifier),
    gates: gateExternalId ? gateQuery(scope, gateExternalId) : undefined,
  }),
  decide(context, input, { taken, gates: [gate] }) {
    const { externalIdentifier, manifestStatus } = input;
    const [assets, customFields] = [input.assets ?? [], input.customFields ?? []];
    const dots = dotsRefusal([
      ['externalIdentifier', externalIdentifier],
      ...dottedAssets(assets),
      ...keysOf(customFields),
    ]);
    if (dots) return dots;
    if (input.gateExternalId && !gate)
      return missingIn('gateExternalId', 'gateNotFound', input.gateExternalId);
    if (taken.length > 0) return inUse(externalIdentifier);
    const made: Made = {
      uuid: newUuid(),
      externalIdentifier,
      manifestStatus,
      gate: assignedTo(gate ?? null),
      facts: factsOf(input, UNSET_FACTS),
      fields: filledFields(customFields),
      assets,
    };
    return {
      ...mergeChanges(identifiersOf(made), [created(context, made)]),
      recalled: { forgets: assets.map(palletName) },
    };
  },
});

/**
 * Create the back order of a closed manifest: a manifest with the pallets that did not leave, and
 * the same custom fields. Both manifests name each other.
 */
export const createBackorder = command('createBackorder', {
  ask({ scope }, { identifier, externalIdentifier }: { identifier: string; externalIdentifier: string }) {
    const uuid = manifestUuidOf(scope, identifier);
    return {
      ...askManifest(scope, identifier),
      taken: takenQuery(scope, externalIdentifier),
      links: backorderQuery(scope, uuid),
      left: leftAssetsQuery(scope, uuid),
      fields: fieldsQuery(scope, uuid),
      alerts: settledShortQuery(scope, loadUuidOf(scope, uuid), sql`m.uuid = ${uuid}`),
    };
  },
  decide(context, { identifier, externalIdentifier }, { taken, links, left, fields, alerts, ...rows }) {
    const dots = dotsRefusal([['externalIdentifier', externalIdentifier]]);
    if (dots) return dots;
    const found = foundManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    const name = named('Manifest', found.externalIdentifier);
    if (isLoadOpen(found.manifestStatus)) {
      return refusal(
        'manifestNotClosed',
        `${name} is ${found.manifestStatus}. Complete or cancel it first.`,
        { facts: { name: found.externalIdentifier, status: found.manifestStatus } },
      );
    }
    const backorder = linkOf(links);
    if (backorder) {
      const detail = `${name} has a back order already: ${quoted(backorder.manifestExternalId)}.`;
      return refusal('backorderExists', detail, {
        facts: { name: found.externalIdentifier, other: backorder.manifestExternalId },
      });
    }
    if (left.length === 0)
      return refusal('nothingLeft', `${name} has no pallet that was left behind.`, {
        facts: { name: found.externalIdentifier },
      });
    if (taken.length > 0) return inUse(externalIdentifier);
    const made: Made = {
      uuid: newUuid(),
      externalIdentifier,
      manifestStatus: 'PLANNED',
      gate: assignedTo(null),
      facts: factsOf(found, UNSET_FACTS),
      fields,
      assets: left.map(({ wmsId }) => wmsId),
      backorderOf: found,
    };
    return mergeChanges(identifiersOf(made), [
      resolvedAlertsChange(context, alerts),
      created(context, made),
      linkedBackorderChange(context, found, made),
    ]);
  },
});

/** A manifest to create. */
interface Made {
  facts: ManifestFacts;
  uuid: string;
  externalIdentifier: string;
  manifestStatus: 'PLANNED' | 'TO_DO';
  gate: AssignedGate;
  fields: readonly StoredField[];
  assets: string[];
  /** The manifest that it is the back order of. */
  backorderOf?: ManifestState;
}

const identifiersOf = ({ uuid, externalIdentifier }: Made) => ({ value: { uuid, externalIdentifier } });

/** The change that creates a manifest. */
function created(context: Context, made: Made): ChangePart {
  const { uuid, externalIdentifier, manifestStatus, gate, facts, fields, assets, backorderOf } = made;
  return {
    ...insertManifests(context, [
      {
        uuid,
        externalIdentifier,
        manifestStatus,
        gateUuid: gate.gateUuid,
        backOrderOfUuid: backorderOf?.uuid ?? null,
        ...facts,
        fields,
        assets,
      },
    ]),
    audit: [
      auditedManifest('MANIFEST_CREATED', made, [
        { field: 'manifestStatus', oldValue: null, newValue: manifestStatus },
        { field: 'gate', oldValue: null, newValue: gate.gateExternalId },
        ...newFactChanges(facts),
        ...(backorderOf
          ? [{ field: 'backorderOf', oldValue: null, newValue: backorderOf.externalIdentifier }]
          : []),
        ...listChanges('assets', [], assets),
        ...auditFields([], diffFields([], fields)),
      ]),
    ],
    events: emit(context, 'MANIFEST_STATUS_CHANGED', manifestEntity, [made]),
  };
}

function inUse(externalIdentifier: string): Refusal {
  const detail = `${named('Manifest', externalIdentifier)} exists already.`;
  const code = 'externalIdentifierInUse' as const;
  return refusal(code, detail, {
    errors: [{ field: 'externalIdentifier', code, message: detail, rejectedValue: externalIdentifier }],
  });
}
