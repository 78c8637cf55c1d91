import { presentAlert } from '../../dispatch/alert/store.ts';
import { presentGate } from '../../dispatch/gate/store.ts';
import { presentManifest } from '../../dispatch/load/manifest/store.ts';
import { presentRecord } from '../../dispatch/load/shared/asset-store.ts';
import { presentShipment } from '../../dispatch/load/shipment/store.ts';
import { presentPhoto } from '../../dispatch/photo/store.ts';
import { presentTrack } from '../../dispatch/track/store.ts';
import { eventPresenter } from '../../log/event/present.ts';
import { presentRewind } from '../../log/event/rewind.ts';
import { presentOperation } from '../../log/operation/store.ts';

/** Presents events. Each module presents its own things. */
export const presentEvent = eventPresenter({
  TRACK: presentTrack,
  MANIFEST: presentManifest,
  SHIPMENT: presentShipment,
  ASSET_LOADING: presentRecord,
  GATE: presentGate,
  ALERT: presentAlert,
  PHOTO: presentPhoto,
  OPERATION: presentOperation,
  ORGANIZATION: presentRewind,
});
