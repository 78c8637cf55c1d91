import type { Loading, Model } from './state.ts';

/** Resolves the alerts of removed records. */
export function resolveAlerts(model: Model, records: Loading[]): void {
  for (const alert of model.alerts) {
    if (alert.record && alert.resolved === null && records.includes(alert.record)) alert.resolved = model.now;
  }
}
