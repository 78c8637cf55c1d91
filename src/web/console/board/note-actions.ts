import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { text, uuid } from '../../../core/http/schema.ts';
import { write } from '../../../core/http/write.ts';
import { commentTrack, flagTrack } from '../../../dispatch/track/commands.ts';
import { linkedTrack } from '../../../dispatch/track/store.ts';
import { action, type PageContext } from '../../ui/confirm/action.ts';
import { refuseInWords } from '../../ui/parts/language.ts';

/** The longest comment at a gate in characters. */
const NOTE_MAXIMUM = 1_000;

/**
 * The track of the pallet with a loading record. The form names the record, because a tablet may only change pallets at
 * its own gate.
 * @throws 404 `trackNotFound` if the pallet has no marker
 */
export async function trackOf({ database, words }: PageContext, record: string): Promise<string> {
  const track = linkedTrack(sql`a.organization_uuid`, sql`a.wms_id`);
  const found = await database.first(sql<{ track: string | null }>`SELECT ${track} AS track
    FROM asset_loading a WHERE a.uuid = ${record} AND a.organization_uuid = ${database.organization}`);
  return found?.track ?? refuseInWords('trackNotFound', words.t('note.noMarker'), { status: 404 });
}

/** Damage and comments of a pallet at the gate. The timeline of the pallet has both. */
export const noteActions = {
  damage: action(
    'mark',
    z.object({ record: uuid, comment: text(0, NOTE_MAXIMUM) }),
    async (at, _: unknown, { record, comment }) => {
      const { c, words, submission } = at;
      const identifier = await trackOf(at, record);
      await write(c, submission, flagTrack, { identifier, damaged: true, reason: comment.trim() || null });
      return { done: words.t('note.damaged') };
    },
  ),
  comment: action(
    'mark',
    z.object({ record: uuid, comment: text(1, NOTE_MAXIMUM) }),
    async (at, _: unknown, { record, comment }) => {
      const { c, words, submission } = at;
      const identifier = await trackOf(at, record);
      await write(c, submission, commentTrack, { identifier, additionalInfo: comment, attachments: [] });
      return { done: words.t('note.commented') };
    },
  ),
};
