import { presentManifest, type StoredManifest } from '../../dispatch/manifest/store.ts';
import { presentShipment, type StoredShipment } from '../../dispatch/shipment/store.ts';
import type { ArchivedDocument } from './objects.ts';
import type { ArchivedPlace } from './store.ts';

/** The document of a manifest or of a shipment, depending on its entry. */
export type AnyDocument = ArchivedDocument<StoredManifest | StoredShipment>;

const isShipment = (
  { entityType }: Pick<ArchivedPlace, 'entityType'>,
  _: StoredManifest | StoredShipment,
): _ is StoredShipment => entityType === 'SHIPMENT';

/** An archived manifest or shipment as its GET showed it. */
export const presentDocument = (
  links: string,
  place: ArchivedPlace,
  stored: StoredManifest | StoredShipment,
) => (isShipment(place, stored) ? presentShipment(links, stored) : presentManifest(links, stored));
