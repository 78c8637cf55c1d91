import { OpenAPIHono, z } from '@hono/zod-openapi';
import { readBytes } from '../../core/http/body.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import type { AppContext, AppEnv } from '../../core/http/types.ts';
import { writeAs } from '../../core/http/write.ts';
import { ProblemError } from '../../core/lib/problem.ts';
import type { Actor } from '../../core/writer/chain.ts';
import { recordArrival } from '../../dispatch/load/shipment/arrival-commands.ts';
import { DRIVER_PATH } from '../../dispatch/load/shipment/store.ts';
import { languageOfTag } from '../../messages/languages.ts';
import { ArrivalPage, arrivalForm, DriverPage, type Opened } from './driver.tsx';
import { type DriverLoad, findDriverLoad } from './driver-store.ts';
import { answerClosed, answerPublicPage, orLater, PUBLIC_HEADERS } from './public-page.tsx';
import { findByToken, publishedAccess } from './published.ts';
import { linkedLanguage, tokenParameter } from './schema.ts';

const app = new OpenAPIHono<AppEnv>();

/** The form of tokens of drivers: 32 characters, or 40 if the migration made them. */
const TOKEN = /^(?:[\w-]{32}|[\w-]{40})$/;
/** The maximum size of the form in bytes: two entries of 255 characters, each of at most 12 bytes. */
const FORM_BYTES_MAXIMUM = 8_192;

/** Anybody who has the link can use the button, so the audit log names nobody. */
const DRIVER: Actor = { actorType: 'SYSTEM', uuid: null, displayName: 'Driver' };

endpoint(app, {
  method: 'get',
  path: `${DRIVER_PATH}{token}`,
  operationId: 'getDriverPage',
  tag: 'Public page',
  summary: 'Get the page of the driver of an open shipment',
  description:
    'Shows gate, planned departure, state and arrival, and nothing else. Its button *I am here* records the first ' +
    'arrival. Its address is `driverUrl`. Works without JavaScript, and keeps itself up to date.',
  access: publishedAccess,
  contractParams: z.object({ token: tokenParameter }),
  query: z.object({ language: linkedLanguage }),
  responses: {
    200: { description: 'The page', type: 'text/html' },
    304: { description: 'Not modified' },
    404: {
      description: 'The shipment is closed, or the token is wrong; the response is the same',
      type: 'text/html',
    },
    429: { description: 'Too many requests in a minute', type: 'text/html' },
    503: { description: 'The store does not respond', type: 'text/html' },
  },
  handler: (c) =>
    answerDriver(c, (opened) =>
      answerPublicPage(c, <DriverPage opened={opened} />, opened.language, { policy: 'live' }),
    ),
});

const ARRIVAL = `${DRIVER_PATH}:token/arrival`;

app.get(ARRIVAL, (c) =>
  answerDriver(c, (opened) =>
    answerPublicPage(c, <ArrivalPage opened={opened} />, opened.language, { policy: 'form' }),
  ),
);

app.post(ARRIVAL, (c) =>
  answerDriver(c, async (opened) => {
    const typed = Object.fromEntries(
      new URLSearchParams((await readBytes(c, FORM_BYTES_MAXIMUM)).toString('utf8')),
    );
    const { success, data } = arrivalForm.safeParse(typed);
    const refused = () =>
      answerPublicPage(c, <ArrivalPage opened={opened} typed={typed} />, opened.language, {
        policy: 'form',
        status: 400,
      });
    if (!success) return refused();
    try {
      await arrive(c, opened.load, data);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.refusal.code === 'customFieldNotNumeric') return refused();
      if (error.refusal.code === 'shipmentClosed') return answerClosed(c);
      throw error;
    }
    return c.body(null, 303, { ...PUBLIC_HEADERS, Location: opened.path + opened.query });
  }),
);

/** Record the first arrival. A later tap changes nothing. */
const arrive = (c: AppContext, { organizationUuid, uuid }: DriverLoad, typed: z.output<typeof arrivalForm>) =>
  writeAs(c, { key: null, payload: null }, organizationUuid, DRIVER, recordArrival, {
    identifier: uuid,
    arrivalDate: null,
    vehicle: typed.vehicle.trim() || null,
    driverName: typed.driverName.trim() || null,
    onlyFirst: true,
  });

/** Answer with the page of the token in the path, or with the page of closed loads. */
function answerDriver(
  c: AppContext,
  answer: (opened: Opened) => Promise<Response> | Response,
): Promise<Response> {
  return orLater(c, async () => {
    const token = c.req.param()['token']!;
    const found = await findByToken(c, token, findDriverLoad, TOKEN);
    if (!found) return answerClosed(c);
    const asked = c.req.query('language');
    const language = languageOfTag(asked);
    return answer({
      load: found.shown,
      path: DRIVER_PATH + token,
      query: language ? `?language=${language}` : '',
      language,
    });
  });
}

export const driverRoutes = app;
