import { cannotBecome, named } from '../../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../../core/lib/problem.ts';

/** The statuses of manifests and shipments. A shipment is never PLANNED: a new one has manifests, and is TO_DO. */
export const LOAD_STATUSES = ['PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const;
export type LoadStatus = (typeof LOAD_STATUSES)[number];

type Transitions = Readonly<Record<LoadStatus, readonly LoadStatus[]>>;

/** The statuses that may follow each status of a manifest. */
export const MANIFEST_TRANSITIONS: Transitions = {
  PLANNED: ['TO_DO', 'CANCELLED'],
  TO_DO: ['PLANNED', 'IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
};

/** The statuses that may follow each status of a shipment. */
export const SHIPMENT_TRANSITIONS: Transitions = {
  ...MANIFEST_TRANSITIONS,
  PLANNED: [],
  TO_DO: ['IN_PROGRESS', 'CANCELLED'],
};

/** Whether a manifest or shipment in this status can still change. */
export const isLoadOpen = (status: LoadStatus): boolean => MANIFEST_TRANSITIONS[status].length > 0;

/** A manifest or shipment whose status is to change. */
interface Moving {
  externalIdentifier: string;
  status: LoadStatus;
  gateUuid: string | null;
}

/** The refusal to change a status: it may not follow, or loading would start without a gate. */
export function refuseTransition(
  kind: 'Manifest' | 'Shipment',
  { externalIdentifier, status, gateUuid }: Moving,
  to: LoadStatus,
): Refusal | undefined {
  const name = named(kind, externalIdentifier);
  const allowedValues = (kind === 'Manifest' ? MANIFEST_TRANSITIONS : SHIPMENT_TRANSITIONS)[status];
  if (!allowedValues.includes(to)) {
    const detail = cannotBecome(name, status, to);
    return refusal('transitionNotAllowed', detail, {
      facts: { name: externalIdentifier, status, to },
      allowedValues,
    });
  }
  if (to !== 'IN_PROGRESS' || gateUuid !== null) return undefined;
  const detail = `${name} has no gate. Assign a gate before loading starts.`;
  return refusal('gateRequired', detail, { facts: { name: externalIdentifier }, allowedValues });
}
