import type { Model } from './state.ts';
import { Instant, Since, Unknown } from './values.ts';
import {
  alertView,
  gateView,
  manifestView,
  photoView,
  recordView,
  shipmentView,
  trackView,
} from './views.ts';

/** The visible state of the model without updateDates. A step that changes nothing leaves it equal. */
export function snapshot(model: Model): string {
  const shown = [
    model.nextCode,
    model.scans.size,
    model.gates.map((gate) => gateView(model, gate)),
    model.manifests.map((manifest) => manifestView(model, manifest)),
    model.manifests.flatMap(({ records }) => records.map((record) => recordView(model, record))),
    model.shipments.map(shipmentView),
    model.tracks.map((track) => [trackView(model, track), model.timeline(track).length]),
    model.alerts.map(alertView),
    model.photos.map(photoView),
  ];
  return JSON.stringify(shown, (_, value) => {
    if (value instanceof Instant) return value.order;
    return value instanceof Unknown || value instanceof Since ? '' : value;
  });
}
