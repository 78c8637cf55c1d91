import { presentManifest, type StoredManifest } from '../../dispatch/load/manifest/store.ts';
import { presentShipment, type StoredShipment } from '../../dispatch/load/shipment/store.ts';
import type { ArchivedDocument } from './objects.ts';
import type { ArchiveLocation } from './store.ts';

/** The document of a manifest or of a shipment, depending on its entry. */
export type AnyDocument = ArchivedDocument<StoredManifest | StoredShipment>;

const isShipment = (
  { entityType }: Pick<ArchiveLocation, 'entityType'>,
  _: StoredManifest | StoredShipment,
): _ is StoredShipment => entityType === 'SHIPMENT';

/** An archived manifest or shipment as its GET showed it. */
export const presentDocument = (
  links: string,
  location: ArchiveLocation,
  stored: StoredManifest | StoredShipment,
) => (isShipment(location, stored) ? presentShipment(links, stored) : presentManifest(links, stored));
