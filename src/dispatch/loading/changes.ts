import type { Write } from '../../core/lib/scope.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { Context } from '../../core/writer/command.ts';
import { touchShipmentsOf } from '../manifest/store.ts';
import { manifest } from '../manifest/table.ts';

/** Set a new update date for manifests and their shipments when their loading records change. */
export function touchParents({ scope, now }: Context, manifestUuids: readonly string[]): Write[] {
  const uuids = [...new Set(manifestUuids)];
  return [scope.update(manifest, { updateDate: now }, { uuids }), touchShipmentsOf(scope, uuids, now)];
}

/** An audit entry about a loading record. */
export const auditedRecord = auditing<{ uuid: string; wmsId: string | null }>(
  'ASSET_LOADING',
  ({ wmsId }) => wmsId,
);
