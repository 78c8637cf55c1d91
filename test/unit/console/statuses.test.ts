import { expect, it } from 'vitest';
import { statusIn } from '../../../src/console/kit/components.tsx';
import { TABLET_STATES } from '../../../src/console/tablet/pages.tsx';
import { wordsIn } from '../../../src/messages/words.ts';
import { DELIVERY_STATUSES } from '../../../src/webhook/table.ts';

it.each([...DELIVERY_STATUSES, ...TABLET_STATES])('%s has words of its own in German', (status) => {
  expect(statusIn(wordsIn('de'), status)).not.toBe(statusIn(wordsIn('en'), status));
});
