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
