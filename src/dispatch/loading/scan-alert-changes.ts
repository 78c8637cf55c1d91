import type { ChangePart, Context } from '../../core/writer/command.ts';
import { countedReadings, coverPallets, readAgain } from '../alert/pallet-changes.ts';
import { accountsFor, isSame } from '../alert/pallet-rules.ts';
import type { AlertAtGate, AlertPallet } from '../alert/pallet-store.ts';
import { type Decision, idleAlertOf } from './gate-view-rules.ts';

/** The effect of scans on the pallets that open alerts cover. `alerted` are the rows of `readAtGateQuery`. */
export const alertedPallets = (
  context: Context,
  alerted: readonly AlertAtGate[],
  decisions: readonly Decision[],
): ChangePart[] => [
  ...countedScans(context, decisions),
  readAgain(context, accountedFor(alerted, decisions)),
];

/** Scans at a gate without work: its one open alert covers their pallets. The first scan raises it, and the others increase its count. */
function countedScans(context: Context, decisions: readonly Decision[]): ChangePart[] {
  const idle = decisions.flatMap((decision) => {
    const alertUuid = idleAlertOf(decision);
    const { pallet, scan, countedIn } = decision;
    const wmsId = pallet?.wmsId ?? scan.wmsId;
    return alertUuid === undefined
      ? []
      : [{ alertUuid, wmsId, markerCode: scan.markerCode ?? pallet?.markerCode ?? null, countedIn }];
  });
  const [first] = idle;
  if (!first) return [];
  const further = idle.filter(({ countedIn }) => countedIn !== undefined).length;
  return [coverPallets(context, idle), countedReadings(context, first.alertUuid, further)];
}

/** The pallets of open alerts that scans account for. */
const accountedFor = (alerted: readonly AlertAtGate[], decisions: readonly Decision[]): AlertPallet[] =>
  alerted
    .filter((row): row is AlertPallet => row.remaining !== null)
    .filter((row) =>
      decisions.some(
        ({ pallet, scan: { markerCode, wmsId, direction }, result: { outcome } }) =>
          isSame(row, { markerCode, wmsId: pallet?.wmsId ?? wmsId }) &&
          accountsFor(row.alertType, { direction, outcome }),
      ),
    );
