import type { Guard } from './guards-evidence.ts';

const MANIFEST = 'src/dispatch/load/manifest/lifecycle-commands.ts';
const SHIPMENT = 'src/dispatch/load/shipment/lifecycle-commands.ts';
const NOTHING = '{ writes: [], audit: [] }';

/** The rule about where pallets are, at each command that applies it. */
export const PLACE_GUARDS: readonly Guard[] = [
  {
    name: 'a manifest that is cancelled in a shipment leaves its pallets aboard',
    file: MANIFEST,
    from: `return changedPaperChange(
    context,
    load,
    manifestsLeft(placed, { isInProgress, holder }, new Set([found.uuid])),
  );`,
    to: `return ${NOTHING};`,
  },
  {
    name: 'a manifest that is cancelled raises an alert about its pallets aboard',
    file: MANIFEST,
    from: 'loadEnded(placed, { isInProgress })',
    to: 'loadEnded([], { isInProgress })',
  },
  {
    name: 'a manifest that starts has only the pallets that are on it',
    file: MANIFEST,
    from: `: startedLoadChange(
            context,
            { uuid: found.uuid, shipmentExternalId: null },
            placedOf(coming),
            placedOf(where),
          ),`,
    to: `: ${NOTHING},`,
  },
  {
    name: 'a manifest that is deleted raises an alert about its pallets aboard',
    file: MANIFEST,
    from: 'loadEnded(placedOf(placed),',
    to: 'loadEnded([],',
  },
  {
    name: 'a pallet that is taken from a manifest stays aboard',
    file: 'src/dispatch/load/manifest/commands.ts',
    from: 'placedOf(edit.placed ?? []),',
    to: '[],',
  },
  {
    name: 'a wrong pallet that is added to a manifest is right from then on',
    file: 'src/dispatch/load/manifest/commands.ts',
    from: 'placedOf(edit.where ?? []), loadUuid',
    to: '[], loadUuid',
  },
  {
    name: 'a PUT that replaces the manifests of a shipment in progress leaves their pallets aboard the new ones',
    file: 'src/dispatch/load/shipment/members.ts',
    from: '...added.map((one)',
    to: '...[].map((one)',
  },
  {
    name: 'a pallet aboard that a new manifest of the shipment expects is no wrong pallet',
    file: 'src/dispatch/load/shipment/members.ts',
    from: 'expected: new Set(coming.map(({ wmsId }) => wmsId!)),',
    to: '',
  },
  {
    name: 'manifests that leave a shipment leave their pallets aboard',
    file: 'src/dispatch/load/shipment/members.ts',
    from: 'manifestsLeft(placedOf(placed), change, leaving),',
    to: 'manifestsLeft([], change, leaving),',
  },
  {
    name: 'a manifest that is attached to a shipment in progress has only the pallets that are on it',
    file: SHIPMENT,
    from: `arrivedPalletsChange(context, state, placedOf(coming), where),
      shipmentChange(context, 'SHIPMENT_UPDATED'`,
    to: `shipmentChange(context, 'SHIPMENT_UPDATED'`,
  },
  {
    name: 'a shipment that is cancelled with its manifests raises an alert about its pallets aboard',
    file: SHIPMENT,
    from: 'loadEnded(placedOf(placed),',
    to: 'loadEnded([],',
  },
  {
    name: 'a shipment that starts has only the pallets that are on it',
    file: SHIPMENT,
    from: `arrivedPalletsChange(context, state, placedOf(coming), where),
      dueRetirementChange`,
    to: 'dueRetirementChange',
  },
  {
    name: 'a PUT that adds manifests to a shipment in progress brings only the pallets that are on it',
    file: 'src/dispatch/load/shipment/commands.ts',
    from: 'arrivedPalletsChange(context, state, come, where),',
    to: '',
  },
  {
    name: 'a pallet that is read on a load is not on another one',
    file: 'src/dispatch/loading/scan-rules.ts',
    from: 'boardingEffect(reading.marker.where, moved.record!.loadUuid)',
    to: 'boardingEffect([], moved.record!.loadUuid)',
  },
  {
    name: 'a pallet that is marked on a load is not on another one',
    file: 'src/dispatch/loading/commands.ts',
    from: 'boardedByMark(changed, placedOf(rows.where), state.loadUuid)',
    to: 'boardedByMark(changed, [], state.loadUuid)',
  },
];
