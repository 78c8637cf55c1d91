import { sql } from 'drizzle-orm';
import { type Asked, beyond } from '../../access/user/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missing, named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { command, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { SUSPENDED } from '../../core/writer/settings.ts';
import { raisedAlertsChange, resolvedAlertsChange } from '../alert/changes.ts';
import { openAlertsQuery } from '../alert/store.ts';
import {
  auditedTablet,
  LINK_LIFE_MS,
  OF_GATE_MAXIMUM,
  TABLET_PERMISSIONS,
  TABLETS_MAXIMUM,
} from './rules.ts';
import { endTurns, limitAlertQuery, overLimitAlerts } from './store.ts';
import { gateTablet } from './table.ts';

/** A tablet that will be paired by a link. */
interface NewTablet extends Asked {
  gateUuid: string;
  name: string;
  /** SHA-256 (hex) of the link's token. Only the user who makes the link has the token. */
  linkHash: string;
  pairedByUuid: string;
}

/** Make a link that pairs one device with a gate. Expired links are deleted. */
export const createTablet = command('createTablet', {
  ask: ({ scope, now }, { gateUuid }: NewTablet) => ({
    gates: sql<{ externalIdentifier: string }>`SELECT external_identifier AS "externalIdentifier" FROM gate
      WHERE organization_uuid = ${scope.organization} AND uuid = ${gateUuid} AND deleted_date IS NULL`,
    counts: sql<{ ofGate: number; all: number }>`SELECT count(*) AS "all",
        coalesce(sum(gate_uuid = ${gateUuid}), 0) AS "ofGate" FROM gate_tablet
      WHERE organization_uuid = ${scope.organization} AND revoked_date IS NULL
        AND (paired_date IS NOT NULL OR link_expires_date > ${now})`,
  }),
  decide({ scope, now }, { gateUuid, name, linkHash, pairedByUuid, ...asked }, { gates: [gate], counts }) {
    const refused = beyond(asked, [...TABLET_PERMISSIONS]);
    if (refused) return refused;
    if (!gate) return missing('gateNotFound', gateUuid);
    const { ofGate, all } = counts[0]!;
    if (ofGate >= OF_GATE_MAXIMUM || all >= TABLETS_MAXIMUM) {
      return refusal(
        'tabletLimitReached',
        `${named('Tablet', name)} cannot be added. A gate has at most ${OF_GATE_MAXIMUM} tablets, an organization ${TABLETS_MAXIMUM}. Revoke one first.`,
        { facts: { name, maximum: OF_GATE_MAXIMUM } },
      );
    }
    const uuid = newUuid();
    return {
      writes: [
        scope.remove(gateTablet, sql`paired_date IS NULL AND link_expires_date <= ${now}`),
        ...scope.insert(gateTablet, [
          {
            uuid,
            gateUuid,
            name,
            linkHash,
            linkExpiresDate: now + LINK_LIFE_MS,
            pairedByUuid,
            createDate: now,
            updateDate: now,
          },
        ]),
      ],
      audit: [
        auditedTablet('GATE_TABLET_CREATED', { uuid, name }, [
          { field: 'name', oldValue: null, newValue: name },
          { field: 'gate', oldValue: null, newValue: gate.externalIdentifier },
        ]),
      ],
      answer: { value: { uuid } },
    };
  },
});

/** A device that uses a link. */
interface Paired {
  linkHash: string;
  /** SHA-256 (hex) of the token in the device's cookie. */
  tokenHash: string;
}

/**
 * Pair the first device that uses a link. Later devices get a refusal, because the link is used.
 */
export const pairTablet = command('pairTablet', {
  ask: ({ scope }, { linkHash }: Paired) => ({
    tablets: sql<{
      uuid: string;
      name: string;
      linkExpiresDate: number;
      pairedDate: number | null;
      revokedDate: number | null;
    }>`SELECT uuid, name, link_expires_date AS "linkExpiresDate", paired_date AS "pairedDate",
        revoked_date AS "revokedDate" FROM gate_tablet
      WHERE link_hash = ${linkHash} AND +organization_uuid = ${scope.organization}`,
  }),
  decide({ scope, now, organization }, { tokenHash }, { tablets: [found] }) {
    if (organization?.suspendedDate) return SUSPENDED;
    const refused = refuseLink(found, now);
    if (refused) return refused;
    const { uuid, name } = found!;
    const set = { tokenHash, pairedDate: now, lastSeenDate: now, updateDate: now };
    return {
      writes: [scope.update(gateTablet, set, sql`uuid = ${uuid}`)],
      audit: [
        auditedTablet('GATE_TABLET_PAIRED', { uuid, name }, [
          { field: 'paired', oldValue: false, newValue: true },
        ]),
      ],
      answer: { value: { uuid } },
    };
  },
});

/** The refusal of a link that cannot be used; undefined if it can. */
export function refuseLink(
  link: { linkExpiresDate: number; pairedDate: number | null; revokedDate: number | null } | undefined,
  now: number,
): Refusal | undefined {
  if (link && link.pairedDate !== null)
    return refusal(
      'tabletLinkUsed',
      'A device has been paired with this link already. If it was not yours, have that tablet revoked. Ask for a new link.',
    );
  if (!link || link.revokedDate !== null || link.linkExpiresDate <= now)
    return refusal('inviteNotFound', 'The link is no longer valid. Ask for a new one.');
  return undefined;
}

const tabletQuery = ({ organization }: Scope, { uuid, gateUuid }: { uuid: string; gateUuid: string }) => sql<{
  name: string;
  revokedDate: number | null;
  gateExternalId: string;
}>`SELECT gate_tablet.name, revoked_date AS "revokedDate", gate.external_identifier AS "gateExternalId"
  FROM gate_tablet JOIN gate ON gate.uuid = gate_tablet.gate_uuid
  WHERE gate_tablet.uuid = ${uuid} AND gate_tablet.organization_uuid = ${organization} AND gate_uuid = ${gateUuid}`;

export const renameTablet = command('renameTablet', {
  ask: ({ scope }, input: { uuid: string; gateUuid: string; name: string }) => ({
    tablets: tabletQuery(scope, input),
  }),
  decide({ scope, now }, { uuid, name }, { tablets: [found] }) {
    if (!found || found.revokedDate !== null) return missing('tabletNotFound', uuid);
    if (found.name === name) return unchanged({ value: {} });
    return {
      writes: [scope.update(gateTablet, { name, updateDate: now }, sql`uuid = ${uuid}`)],
      audit: [
        auditedTablet('GATE_TABLET_UPDATED', { uuid, name }, [
          { field: 'name', oldValue: found.name, newValue: name },
        ]),
      ],
      answer: { value: {} },
    };
  },
});

/** Revoke a tablet for good, or an unused link. */
export const revokeTablet = command('revokeTablet', {
  ask: ({ scope }, input: { uuid: string; gateUuid: string }) => ({ tablets: tabletQuery(scope, input) }),
  decide({ scope, now }, { uuid }, { tablets: [found] }) {
    if (!found) return missing('tabletNotFound', uuid);
    if (found.revokedDate !== null) return unchanged({ value: {} });
    const { name, gateExternalId } = found;
    return {
      writes: [
        scope.update(gateTablet, { revokedDate: now, updateDate: now }, sql`uuid = ${uuid}`),
        endTurns(scope, sql`tablet_uuid = ${uuid}`, now),
      ],
      audit: [
        auditedTablet('GATE_TABLET_REVOKED', { uuid, name }, [
          { field: 'gate', oldValue: gateExternalId, newValue: null },
        ]),
      ],
      answer: { value: {} },
    };
  },
});

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
    return mergeChanges({ value: {} }, [raisedAlertsChange(context, [about])]);
  },
});

/**
 * Resolve alerts of tablets that accept badges and PINs again, because the window of attempts has
 * passed.
 */
export const endSignInLimit = command('endSignInLimit', {
  ask: ({ scope, now }, _: object) => ({ over: openAlertsQuery(scope, overLimitAlerts(now)) }),
  decide: (context, _, { over }) => mergeChanges({ value: {} }, [resolvedAlertsChange(context, over)]),
});
