import { z } from '@hono/zod-openapi';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import {
  commentTrack,
  flagTrack,
  retireTrack,
  revertRetirement,
  unflagTrack,
} from '../../../../dispatch/track/commands.ts';
import { action } from '../../../ui/confirm/action.ts';
import { confirmRetirement } from '../../../ui/confirm/confirm-retirement.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';

export function trackActions() {
  return {
    flag: action(
      'mark',
      z.object({ reason: text(0, 1_000), damaged: z.enum(['', 'true']) }),
      async ({ c, words, submission }, { uuid }: ByUuid, { reason, damaged }) => {
        await write(c, submission, flagTrack, {
          identifier: uuid,
          damaged: damaged === 'true' ? true : null,
          reason: reason || null,
        });
        return { done: words.t('track.flagged') };
      },
    ),
    unflag: action('mark', z.object({}), async ({ c, words, submission }, { uuid }: ByUuid) => {
      await write(c, submission, unflagTrack, { identifier: uuid });
      return { done: words.t('track.unflagged') };
    }),
    comment: action(
      'mark',
      z.object({ additionalInfo: text(1, 5_000) }),
      async ({ c, words, submission }, { uuid }: ByUuid, { additionalInfo }) => {
        await write(c, submission, commentTrack, { identifier: uuid, additionalInfo, attachments: [] });
        return { done: words.t('track.commented') };
      },
    ),
    retire: action(
      'operate',
      z.object({ force: z.enum(['true', 'false']) }),
      async ({ c, words, submission }, { uuid }: ByUuid, { force }) => {
        await write(c, submission, retireTrack, { identifier: uuid, force: force === 'true' });
        return { done: words.t('track.retiredNow') };
      },
      (at, { uuid }, { force }) => confirmRetirement(at, uuid, force === 'true'),
    ),
    revert: action('operate', z.object({}), async ({ c, words, submission }, { uuid }: ByUuid) => {
      await write(c, submission, revertRetirement, { identifier: uuid });
      return { done: words.t('track.reverted') };
    }),
  };
}

export type TrackActions = ReturnType<typeof trackActions>;
