import type { StoredAuditRecord } from '../../../../core/writer/audit-view.ts';
import { useWords } from '../../../../messages/context.ts';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { thingIn } from './words.ts';

/** The page of each kind of entity that has one. */
const PAGES: Partial<Record<string, string>> = {
  USER: 'user',
  AUTHORITY: 'authority',
  GATE: 'gate',
  SCANNER: 'scanner',
  LOCAL_MANAGER: 'local-manager',
  AGENT: 'agent',
  CLIENT: 'client',
  TRACK: 'track',
  MANIFEST: 'manifest',
  SHIPMENT: 'shipment',
  ALERT: 'alert',
  PRINTING_BATCH: 'printing-batch',
  CALIBRATION: 'calibration',
  OPERATION: 'operation',
  WEBHOOK: 'webhook',
  API_KEY: 'api-key',
  ACCESS_TOKEN: 'access-token',
  ORGANIZATION: 'organization',
};

/** The entity of a record, linked to its page. */
export const Entity = ({ entityType, entityUuid, entityExternalId }: StoredAuditRecord) => {
  const resource = PAGES[entityType];
  const name = `${thingIn(useWords(), entityType)} ${entityExternalId ?? ''}`;
  return resource ? (
    <ResourceLink resource={resource} uuid={entityUuid}>
      {name}
    </ResourceLink>
  ) : (
    <span>{name}</span>
  );
};
