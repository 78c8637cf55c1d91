import { expect, it } from 'vitest';
import { DELIVERY_STATUSES } from '../../../../src/delivery/webhook/table.ts';
import { statusIn } from '../../../../src/web/console/kit/components.tsx';
import { TABLET_STATES } from '../../../../src/web/console/tablet/pages.tsx';
import { wordsIn } from '../../../messages.ts';

it.each([...DELIVERY_STATUSES, ...TABLET_STATES])('the status %s has a German word', (status) => {
  expect(statusIn(wordsIn('de'), status)).not.toBe(statusIn(wordsIn('en'), status));
});
