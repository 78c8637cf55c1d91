import { presentAlert } from '../alert/store.ts';
import { eventPresenter } from '../event/present.ts';
import { presentRewind } from '../event/rewind.ts';
import { presentRecord } from '../manifest/asset-store.ts';
import { presentManifest } from '../manifest/store.ts';
import { presentOperation } from '../operation/store.ts';
import { presentShipment } from '../shipment/store.ts';
import { presentGate } from '../site/store.ts';
import { presentTrack } from '../track/store.ts';

/** How events present what they are about: each as its module does. */
export const presentEvent = eventPresenter({
  TRACK: presentTrack,
  MANIFEST: presentManifest,
  SHIPMENT: presentShipment,
  ASSET_LOADING: presentRecord,
  GATE: presentGate,
  ALERT: presentAlert,
  OPERATION: presentOperation,
  ORGANIZATION: presentRewind,
});
