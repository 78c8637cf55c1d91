import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { answerList, answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { reads } from '../../core/http/read.ts';
import { flagOff } from '../../core/http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { answerWhole, GOES_ON, positionAfter, wholeQuery } from '../../core/http/whole.ts';
import { refuseMissing, write } from '../../core/http/write.ts';
import type { Database } from '../../core/lib/database.ts';
import { parseJson } from '../../core/lib/json.ts';
import { missing } from '../../core/lib/missing.ts';
import { acceptedDescription, acceptedSchema } from '../../log/operation/schema.ts';
import { operationPath } from '../../log/operation/store.ts';
import { requireClientFeature } from '../client/access.ts';
import { markerImage } from '../marker/image.ts';
import { imageDelivery } from '../marker/schema.ts';
import {
  commentTrack,
  deleteTrack,
  flagTrack,
  retireTrack,
  revertRetirement,
  unflagTrack,
} from './commands.ts';
import {
  acceptAllocateAndCouple,
  acceptCoupling,
  allocateAndCouple,
  coupleTrack,
} from './coupling-commands.ts';
import { activityList, trackList } from './list.ts';
import {
  activitySchema,
  allocatedAndAcceptedSchema,
  allocatedAndCoupledSchema,
  asynchronously,
  commentCreateSchema,
  commentSchema,
  coupledSchema,
  coupleSchema,
  flagSchema,
  getAndCoupleSchema,
  ok,
  TRACK_PATH,
  trackParams,
  trackSchema,
} from './schema.ts';
import { presentTrack, type StoredTrack, trackQuery, trackStateQuery, trackUuidOf } from './store.ts';
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
const trackAnswer = { 200: { description: 'The track', schema: trackSchema } };

endpoint(app, {
  method: 'get',
  path: TRACK_PATH,
  operationId: 'listTracks',
  tag,
  summary: 'List tracks',
  description: 'Returns tracks, newest first. Deleted tracks are left out by default.',
  access,
  query: trackList.query,
  responses: { 200: { description: 'A page', schema: envelope('TrackPage', trackSchema) } },
  errors: ['clientFeatureRequired'],
  handler(c, { query }) {
    if (query.clientId) requireClientFeature(c);
    return answerList(c, trackList, query, presentTrack);
  },
});

endpoint(app, {
  method: 'get',
  path: `${TRACK_PATH}/{trackId}`,
  operationId: 'getTrack',
  tag,
  summary: 'Get a track',
  description:
    'Finds the track by UUID, or else by WMS id: the live track (not deleted and not retired), or ' +
    'else the retired track that was coupled last. Deleted tracks are not found by WMS id.',
  access,
  params: trackParams,
  responses: trackAnswer,
  errors: ['trackNotFound'],
  handler: async (c, { params: { trackId } }) =>
    c.json(presentTrack(origin(c), await findTrack(reads(c), trackId))),
});

const inBackground =
  'With `async=true`, a request with an error is still refused at once. Otherwise the coupling happens in the ' +
  'background. The event COUPLING_SUCCEEDED or COUPLING_FAILED reports the outcome, once. ' +
  'Of two accepted requests for the same WMS id or marker, one fails.';

endpoint(app, {
  method: 'post',
  path: `${TRACK_PATH}/couple`,
  operationId: 'coupleTrack',
  tag,
  summary: 'Couple a WMS id to an allocated marker',
  description:
    'If the WMS id is already coupled to this marker, the existing track is returned unchanged. ' +
    `Custom fields and client of the repeat are ignored. \`clientId\` needs \`clientFeatureEnabled\`. ${inBackground}`,
  access,
  query: z.object({ async: asynchronously }),
  body: coupleSchema,
  responses: {
    200: { description: 'The track', schema: coupledSchema },
    202: { description: acceptedDescription, schema: acceptedSchema },
  },
  errors: [
    ['clientNotFound', 400],
    'clientFeatureRequired',
    'markerNotAllocated',
    'markerAlreadyCoupled',
    'wmsIdAlreadyCoupled',
  ],
  async handler(c, { query, body, submission }) {
    const input = { markerCode: body.markerCode, ...couplingOf(c, body) };
    if (query.async) {
      const accepted = { ...input, requestId: c.get('requestId') };
      const { body: written } = await write(c, submission, acceptCoupling, accepted);
      c.header('Location', operationPath(written.operationUuid));
      return c.json({ operationId: written.operationUuid }, 202);
    }
    return c.json({ track: presentTrack(origin(c), (await write(c, submission, coupleTrack, input)).body) });
  },
});

endpoint(app, {
  method: 'post',
  path: `${TRACK_PATH}/get-and-couple`,
  operationId: 'getAndCoupleTrack',
  tag,
  summary: 'Allocate the next marker and couple a WMS id to it',
  description:
    'Without `async`, allocates and couples the code in one commit, or does nothing. `clientId` needs ' +
    `\`clientFeatureEnabled\`. ${inBackground} With \`async=true\` the code is allocated at once and stays allocated, even ` +
    'if the coupling fails.',
  access,
  query: z.object({ async: asynchronously, imageDelivery }),
  body: getAndCoupleSchema,
  responses: {
    200: {
      description: 'The code, its image and the track',
      schema: allocatedAndCoupledSchema,
    },
    202: { description: acceptedDescription, schema: allocatedAndAcceptedSchema },
  },
  errors: [['clientNotFound', 400], 'clientFeatureRequired', 'wmsIdAlreadyCoupled', 'markerCodesExhausted'],
  async handler(c, { query, body, submission }) {
    const input = couplingOf(c, body);
    const image = (markerCode: number) => markerImage(origin(c), markerCode, query.imageDelivery);
    if (query.async) {
      const accepted = { ...input, requestId: c.get('requestId') };
      const { body: written } = await write(c, submission, acceptAllocateAndCouple, accepted);
      c.header('Location', operationPath(written.operationUuid));
      return c.json({ ...image(written.markerCode), operationId: written.operationUuid }, 202);
    }
    const { body: coupled } = await write(c, submission, allocateAndCouple, input);
    return c.json({ ...image(coupled.markerCode), track: presentTrack(origin(c), coupled.track) });
  },
});

endpoint(app, {
  method: 'patch',
  path: `${TRACK_PATH}/{trackId}/retire`,
  operationId: 'retireTrack',
  tag,
  summary: 'Retire a track',
  description:
    'Retires the track at once, unless it is on an open manifest. Then it is scheduled, and is ' +
    'retired when its last open manifest closes. `force=true` retires it at once.',
  access,
  params: trackParams,
  query: z.object({ force: flagOff }),
  responses: ok,
  errors: ['trackNotFound'],
  async handler(c, { params: { trackId }, query: { force }, submission }) {
    await write(c, submission, retireTrack, { identifier: trackId, force });
    return c.json({});
  },
});

endpoint(app, {
  method: 'patch',
  path: `${TRACK_PATH}/{trackId}/revert-retirement`,
  operationId: 'revertRetirement',
  tag,
  summary: 'Make a retired or scheduled track active again',
  description:
    'The track becomes ACTIVE, without a flag. Refused if another track with the same WMS id is live now.',
  access,
  params: trackParams,
  responses: ok,
  errors: ['trackNotFound', 'wmsIdAlreadyCoupled'],
  async handler(c, { params: { trackId }, submission }) {
    await write(c, submission, revertRetirement, { identifier: trackId });
    return c.json({});
  },
});

endpoint(app, {
  method: 'delete',
  path: `${TRACK_PATH}/{trackId}`,
  operationId: 'deleteTrack',
  tag,
  summary: 'Delete a track',
  description: 'Frees its marker and its WMS id.',
  access,
  params: trackParams,
  responses: ok,
  errors: ['trackNotFound', 'trackOnOpenManifest'],
  async handler(c, { params: { trackId }, submission }) {
    await write(c, submission, deleteTrack, { identifier: trackId });
    return c.json({});
  },
});

endpoint(app, {
  method: 'patch',
  path: `${TRACK_PATH}/{trackId}/flag`,
  operationId: 'flagTrack',
  tag,
  summary: 'Flag a track',
  description:
    'The status of an active track is FLAGGED until the flag is removed. A scheduled or retired track keeps its status. `damaged` says that the pallet is damaged. ' +
    'An empty body flags the track without a reason.',
  access,
  params: trackParams,
  body: flagSchema,
  bodyOptional: true,
  responses: trackAnswer,
  errors: ['trackNotFound'],
  async handler(c, { params: { trackId }, body: { damaged = null, reason = null }, submission }) {
    const { body } = await write(c, submission, flagTrack, { identifier: trackId, damaged, reason });
    return c.json(presentTrack(origin(c), body));
  },
});

endpoint(app, {
  method: 'patch',
  path: `${TRACK_PATH}/{trackId}/unflag`,
  operationId: 'unflagTrack',
  tag,
  summary: 'Unflag a track',
  description:
    'Removes the flag and sets `damaged` to false. A track that is not scheduled or retired becomes ACTIVE. Its timeline keeps the content of the flag.',
  access,
  params: trackParams,
  responses: trackAnswer,
  errors: ['trackNotFound'],
  async handler(c, { params: { trackId }, submission }) {
    return c.json(
      presentTrack(origin(c), (await write(c, submission, unflagTrack, { identifier: trackId })).body),
    );
  },
});

async function findTrack(database: Database, identifier: string): Promise<StoredTrack> {
  const row = await database.first(trackQuery(database, identifier));
  return row ? parseJson(row.view) : refuseMissing('trackNotFound', identifier);
}

function couplingOf(c: AppContext, body: z.output<typeof getAndCoupleSchema>) {
  if (body.clientId != null) requireClientFeature(c);
  return { wmsId: body.wmsId, customFields: body.customFields ?? [], clientId: body.clientId ?? null };
}

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

export const trackRoutes = app;
