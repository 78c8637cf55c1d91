import { OpenAPIHono } from '@hono/zod-openapi';
import { accessTokenAccess } from '../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { answerList, envelope } from '../../core/http/list-page.ts';
import { hasCurrent, primaryReads, reads } from '../../core/http/read.ts';
import { emptySchema } from '../../core/http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { refuse, submissionOf, type Written, write } from '../../core/http/write.ts';
import { deleteCalibration, type PutCalibration, putCalibration, type UploadedObject } from './commands.ts';
import { calibrationList } from './list.ts';
import { discardObjects, findLost, openObject, receiveObject } from './objects.ts';
import { type CalibrationName, type Conditions, calibrationTag, namedFile, noFile } from './rules.ts';
import {
  calibrationFileSchema,
  calibrationParams,
  calibrationSchema,
  listedCalibrationSchema,
} from './schema.ts';
import { presentCalibration, presentListed, readCalibration, type StoredCalibration } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const path = `${BASE_PATH}/camera/{hardwareId}/calibration/{type}`;
const tag = 'Calibration';
/**
 * How many times the file is read at most, if it is replaced between reading its record and its
 * object. The first read counts.
 */
const OPEN_ATTEMPTS_MAXIMUM = 5;
const conditionHeaders = {
  'If-Match': 'Entity tags of the file; 412 if it has another one, or on upload if it is missing',
  'If-None-Match': '`*` writes only if there is no file; 412 if there is one',
};

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/camera`,
  operationId: 'listCalibrations',
  tag,
  summary: 'List calibration files',
  description: 'Returns the metadata of each file, sorted by camera. The download has the bytes.',
  access: accessTokenAccess('CAMERA_READ'),
  query: calibrationList.query,
  responses: { 200: { description: 'A page', schema: envelope('CalibrationPage', listedCalibrationSchema) } },
  handler: (c, { query }) => answerList(c, calibrationList, query, presentListed),
});

endpoint(app, {
  method: 'get',
  path,
  operationId: 'getCalibration',
  tag,
  summary: 'Download a calibration file',
  description:
    'Returns exactly the uploaded bytes. If the store has lost the bytes of a file, the response ' +
    'is 404, as for a file that was never uploaded. The list still shows such a file: upload it ' +
    'again.',
  access: accessTokenAccess('CAMERA_READ'),
  params: calibrationParams,
  responses: {
    200: { description: 'The file', schema: calibrationFileSchema },
    304: { description: 'The caller has the current file' },
  },
  errors: ['calibrationNotFound'],
  async handler(c, { params }) {
    const { file, known, body } = await openFile(c, params);
    c.header('ETag', calibrationTag(file.sha256));
    // A strong entity tag becomes weak if a proxy compresses the body.
    c.header('Cache-Control', 'private, no-cache, no-transform');
    if (known) return c.body(null, 304);
    c.header('Content-Type', 'application/json');
    c.header('Content-Length', String(file.sizeBytes));
    return body === null ? c.body(null) : c.body(body);
  },
});

/** The file with its bytes. The bytes are not read for HEAD and 304. */
async function openFile(c: AppContext, name: CalibrationName) {
  let missing: string | undefined;
  for (let attempt = 1; attempt <= OPEN_ATTEMPTS_MAXIMUM; attempt += 1) {
    const file = await readCalibration(attempt === 1 ? reads(c) : primaryReads(c), name);
    if (!file) return refuse('calibrationNotFound', noFile(name));
    const known = hasCurrent(c, calibrationTag(file.sha256));
    if (known) return { file, known, body: null };
    // Objects are deleted after their records. If the record still names the missing object, the
    // bucket has lost it.
    if (file.objectKey === missing) return lost(c, name, file);
    const body = await openObject(c, file.objectKey);
    if (body !== undefined) return { file, known, body };
    // The file was replaced after the record was read. The next attempt finds another record, or
    // none.
    missing = file.objectKey;
  }
  return refuse(
    'temporarilyUnavailable',
    `The ${namedFile(name)} was replaced while it was read. Try again.`,
  );
}

/**
 * Lost bytes do not come back by waiting. A file without bytes counts as missing, and the bytes can
 * be uploaded again.
 */
function lost(c: AppContext, name: CalibrationName, { uuid, objectKey }: StoredCalibration): never {
  console.error(JSON.stringify({ requestId: c.get('requestId'), calibration: uuid, lostObject: objectKey }));
  return refuse('calibrationNotFound', `The content of the ${namedFile(name)} is lost. Upload it again.`);
}

endpoint(app, {
  method: 'post',
  path,
  operationId: 'uploadCalibration',
  tag,
  summary: 'Upload or overwrite a calibration file',
  description:
    'Takes any JSON object or array in UTF-8, up to 25 MiB and 64 levels. The same bytes again change nothing. ' +
    'If the store had lost them, the file is repaired, with 200.',
  access: accessTokenAccess('CAMERA_WRITE'),
  params: calibrationParams,
  contractBody: calibrationFileSchema,
  tagged: true,
  requestHeaders: conditionHeaders,
  responses: {
    200: { description: 'The file existed and now has these bytes', schema: calibrationSchema },
    201: { description: 'The file is new', schema: calibrationSchema },
  },
  errors: ['preconditionFailed'],
  async handler(c, { params }) {
    const { body } = await commitUpload(c, params, await receiveObject(c, params));
    c.header('ETag', calibrationTag(body.calibration.sha256));
    if (body.created)
      c.header('Location', `${BASE_PATH}/camera/${params.hardwareId}/calibration/${params.type}`);
    return c.json(presentCalibration(origin(c), body.calibration), body.created ? 201 : 200);
  },
});

/**
 * Store the uploaded object as the content of the file. Then delete the object that is not used: the
 * previous object, or the uploaded one.
 */
async function commitUpload(
  c: AppContext,
  name: CalibrationName,
  object: UploadedObject,
): Promise<Written<PutCalibration>> {
  let leftover: (string | null)[] = [object.objectKey];
  try {
    const lostKey = await findLost(c, name);
    const input = { ...name, ...object, lostKey, conditions: conditionsOf(c) };
    // A repeat with the same Idempotency-Key must have the same bytes.
    const submission = submissionOf(c, { sha256: object.sha256 });
    const written = await write(c, submission, putCalibration, input);
    const { calibration, replacedKey } = written.body;
    leftover = calibration.objectKey === object.objectKey ? [replacedKey] : [object.objectKey, replacedKey];
    return written;
  } finally {
    await discardObjects(c, leftover);
  }
}

endpoint(app, {
  method: 'delete',
  path,
  operationId: 'deleteCalibration',
  tag,
  summary: 'Delete a calibration file',
  description: 'Deletes the file and its bytes. Files of other types for this camera are kept.',
  access: accessTokenAccess('CAMERA_WRITE'),
  params: calibrationParams,
  requestHeaders: conditionHeaders,
  responses: { 200: { description: 'Deleted', schema: emptySchema } },
  errors: ['calibrationNotFound', 'preconditionFailed'],
  async handler(c, { params, submission }) {
    const input = { ...params, conditions: conditionsOf(c) };
    const { body } = await write(c, submission, deleteCalibration, input);
    await discardObjects(c, [body.replacedKey]);
    return c.json({});
  },
});

function conditionsOf(c: AppContext): Conditions {
  return {
    ifMatch: c.req.header('If-Match') ?? null,
    ifNoneMatch: c.req.header('If-None-Match') ?? null,
  };
}

export const calibrationRoutes = app;
