import { deepLink } from '../../core/http/link.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import type { StoredOrganization } from '../../core/writer/settings.ts';

/** An organization as the API shows it. */
export const presentOrganization = (links: string, { suspendedDate, ...stored }: StoredOrganization) => ({
  ...stored,
  labelSize: stored.labelSize ?? 'A4',
  clientFeatureEnabled: stored.clientFeatureEnabled === 1,
  sandbox: stored.sandbox === 1,
  status: suspendedDate === null ? ('ACTIVE' as const) : ('SUSPENDED' as const),
  suspendDate: isoDateOrNull(suspendedDate),
  createDate: isoDate(stored.createDate),
  updateDate: isoDate(stored.updateDate),
  deepLink: deepLink(links, 'organization', stored.uuid),
});
