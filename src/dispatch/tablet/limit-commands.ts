import { sql } from 'drizzle-orm';
import { missing } from '../../core/lib/missing.ts';
import { command, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { raiseAlerts, resolvedAlerts } from '../alert/changes.ts';
import { openAlertsQuery } from '../alert/store.ts';
import { limitAlertQuery, overLimitAlerts } from './store.ts';

/**
 * Raise an alert: too many unknown badges or PINs were entered at a tablet. There is one alert for
 * each window of attempts.
 */
export const noteSignInLimit = command('noteSignInLimit', {
  ask: ({ scope, now }, { tabletUuid }: { tabletUuid: string }) => ({
    tablets: sql<{
      name: string;
      gateUuid: string;
      gateExternalId: string;
    }>`SELECT gate_tablet.name, gate.uuid AS "gateUuid",
        gate.external_identifier AS "gateExternalId"
      FROM gate_tablet JOIN gate ON gate.uuid = gate_tablet.gate_uuid
        AND gate.organization_uuid = gate_tablet.organization_uuid
      WHERE gate_tablet.uuid = ${tabletUuid} AND +gate_tablet.organization_uuid = ${scope.organization}`,
    raised: limitAlertQuery(scope, tabletUuid, now),
  }),
  decide(context, { tabletUuid }, { tablets: [tablet], raised }) {
    if (!tablet) return missing('tabletNotFound', tabletUuid);
    if (raised.length > 0) return unchanged({ value: {} });
    const { name, gateUuid, gateExternalId } = tablet;
    const about = {
      alertType: 'SIGN_IN_LIMIT_REACHED' as const,
      params: { tablet: name },
      gate: { uuid: gateUuid, externalIdentifier: gateExternalId },
      deviceUuid: tabletUuid,
    };
    return mergeChanges({ value: {} }, [raiseAlerts(context, [about])]);
  },
});

/**
 * Resolve alerts of tablets that accept badges and PINs again, because the window of attempts has
 * passed.
 */
export const endSignInLimit = command('endSignInLimit', {
  ask: ({ scope, now }, _: object) => ({ over: openAlertsQuery(scope, overLimitAlerts(now)) }),
  decide: (context, _, { over }) => mergeChanges({ value: {} }, [resolvedAlerts(context, over)]),
});
