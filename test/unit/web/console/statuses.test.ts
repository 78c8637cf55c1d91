import { expect, it } from 'vitest';
import { DELIVERY_STATUSES } from '../../../../src/delivery/webhook/table.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES } from '../../../../src/dispatch/alert/table.ts';
import {
  AGENT_STATUSES,
  LOCAL_MANAGER_STATUSES,
  SCANNER_STATUSES,
} from '../../../../src/dispatch/device/schema.ts';
import { REPORTED_STATUSES } from '../../../../src/dispatch/device/table.ts';
import { GATE_STATUSES } from '../../../../src/dispatch/gate/schema.ts';
import { LOAD_STATUSES } from '../../../../src/dispatch/load/shared/status-rules.ts';
import { RECORD_STATUSES } from '../../../../src/dispatch/loading/store.ts';
import { BATCH_STATUSES } from '../../../../src/dispatch/printing-batch/table.ts';
import { TRACK_STATUSES } from '../../../../src/dispatch/track/rules.ts';
import { ITEM_STATUSES, OPERATION_STATUSES } from '../../../../src/log/operation/table.ts';
import { TABLET_STATES } from '../../../../src/web/console/tablet/pages.tsx';
import { statusIn } from '../../../../src/web/ui/parts/components.tsx';
import { wordsIn } from '../../../messages.ts';

/** Every status that pages show as a badge or offer in a filter. */
const STATUSES = new Set([
  ...DELIVERY_STATUSES,
  ...TABLET_STATES,
  ...ALERT_SEVERITIES,
  ...ALERT_STATUSES,
  ...AGENT_STATUSES,
  ...LOCAL_MANAGER_STATUSES,
  ...SCANNER_STATUSES,
  ...REPORTED_STATUSES,
  ...GATE_STATUSES,
  ...RECORD_STATUSES,
  ...BATCH_STATUSES,
  ...LOAD_STATUSES,
  ...TRACK_STATUSES,
  ...ITEM_STATUSES,
  ...OPERATION_STATUSES,
]);

/** Words that are the same in German. */
const SAME = ['ONLINE', 'OFFLINE'];

it.each([...STATUSES].filter((status) => !SAME.includes(status)))(
  'the status %s has a German word',
  (status) => {
    expect(statusIn(wordsIn('de'), status)).not.toBe(statusIn(wordsIn('en'), status));
  },
);
