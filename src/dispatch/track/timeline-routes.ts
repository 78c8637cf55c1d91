import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { reads } from '../../core/http/read.ts';
import type { AppEnv } from '../../core/http/types.ts';
import { answerWhole, GOES_ON, positionAfter, wholeQuery } from '../../core/http/whole.ts';
import { write } from '../../core/http/write.ts';
import { missing } from '../../core/lib/missing.ts';
import { ok, TRACK_PATH, trackParams } from './answer.ts';
import { commentTrack } from './commands.ts';
import { activityList } from './list.ts';
import { activitySchema, commentCreateSchema, commentSchema } from './schema.ts';
import { trackStateQuery, trackUuidOf } from './store.ts';
import {
  commentPlace,
  commentsQuery,
  palletsOfTrack,
  presentActivity,
  presentComment,
} from './timeline-store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Track';
const access = apiKeyAccess;

endpoint(app, {
  method: 'get',
  path: `${TRACK_PATH}/{trackId}/comments`,
  operationId: 'listComments',
  tag,
  summary: 'List the comments of a track, oldest first',
  description: `Returns the comments with their attachments, in the order of their creation. ${GOES_ON}`,
  access,
  params: trackParams,
  query: wholeQuery,
  responses: { 200: { description: 'The comments', schema: z.array(commentSchema).openapi('Comments') } },
  errors: ['trackNotFound'],
  async handler(c, { params: { trackId }, query }) {
    const database = reads(c);
    const owner = { query: trackStateQuery(database, trackId), missing: missing('trackNotFound', trackId) };
    return answerWhole(
      c,
      database,
      {
        rowsAfter: (place) => commentsQuery(database, trackUuidOf(database, trackId), place),
        after: positionAfter(query.after, commentPlace),
      },
      presentComment,
      owner,
    );
  },
});

endpoint(app, {
  method: 'post',
  path: `${TRACK_PATH}/{trackId}/comments`,
  operationId: 'createComment',
  tag,
  summary: 'Comment on a track',
  description:
    'The author is the credential of the request. Attachments are links; nothing is uploaded. The ' +
    'author of an attachment is stored as given.',
  access,
  params: trackParams,
  body: commentCreateSchema,
  responses: ok,
  errors: ['trackNotFound'],
  async handler(c, { params: { trackId }, body, submission }) {
    const attachments = (body.attachments ?? []).map(
      ({ link, fileName = null, description = null, author = null }) => ({
        link,
        fileName,
        description,
        author,
      }),
    );
    await write(c, submission, commentTrack, {
      identifier: trackId,
      additionalInfo: body.additionalInfo,
      attachments,
    });
    return c.json({});
  },
});

endpoint(app, {
  method: 'get',
  path: `${TRACK_PATH}/{trackId}/activity`,
  operationId: 'listActivity',
  tag,
  summary: 'List the timeline of a track',
  description:
    'Shows the history of the pallet and the places: couplings, scans, flags, comments, and ' +
    'manifests that it joined and left. This includes the time before it had a marker. The latest entry comes first.',
  access,
  params: trackParams,
  query: activityList.query,
  responses: { 200: { description: 'A page', schema: envelope('ActivityPage', activitySchema) } },
  errors: ['trackNotFound'],
  async handler(c, { params: { trackId }, query }) {
    const database = reads(c);
    const asked = askPage(activityList, database, query, palletsOfTrack(trackUuidOf(database, trackId)));
    const owner = { query: trackStateQuery(database, trackId), missing: missing('trackNotFound', trackId) };
    return answerPage(c, database, asked, presentActivity, owner);
  },
});

export const trackTimelineRoutes = app;
