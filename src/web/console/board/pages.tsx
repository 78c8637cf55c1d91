import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { settingsOf } from '../../../core/env.ts';
import { list } from '../../../core/http/schema.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { refuseMissing } from '../../../core/http/write.ts';
import { quietPeriod } from '../../../core/lib/quiet.ts';
import { quietHoursOf } from '../../../core/writer/settings.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import { READING_MAXIMUM } from '../../../pallet/identifier.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { page } from '../../ui/page/page.tsx';
import { byUuid } from '../../ui/page/resource.tsx';
import type { View } from '../../ui/parts/view.ts';
import { gateLabelPage } from '../resources/marker/label-page.ts';
import { atGate } from '../tablet/at-gate.ts';
import { boardActions, gateActions } from './actions.ts';
import { LiveStatus } from './board-parts.tsx';
import { CameraView } from './camera-view.tsx';
import { NOTES } from './gate-note.tsx';
import { readGatePage } from './gate-store.ts';
import { GatePanel, gateTitle } from './gate-view.tsx';
import type { Rights } from './rules.ts';
import { choiceAt } from './scan-action.ts';
import { readBoard } from './store.ts';
import { BoardView } from './view.tsx';
import { WallView } from './wall-view.tsx';

const rightsOf = ({ may, session }: PageContext): Rights => ({
  mark: may('mark'),
  load: may('load'),
  operate: may('operate'),
  audit: may('seeOffice'),
  desk: session.tablet === undefined,
  site: may('changeSite') && !session.tablet,
  people: may('seeUsers'),
});

/** The tablet of the page, if it asks for badges. It then gets the list of badges. */
const badgesAt = ({ c, session: { uuid, tablet } }: PageContext) =>
  tablet?.asks === 'BADGE' ? { tablet: uuid, keys: settingsOf(c.env).sealingKeys } : undefined;

const ASSETS: Pick<View, 'scripts' | 'styles' | 'words'> = {
  scripts: ['board.js'],
  styles: ['board.css'],
  words: ['live', 'board', 'notice'],
};
/** Maximum number of board parts in a request. Beyond it, the whole board is read. */
const PARTS_MAXIMUM = 20;
/** The name of the part for loads without a gate. Other parts are gates, named by uuid. */
const WAITING_PART = 'waiting';

const part = z.union([z.uuid(), z.literal(WAITING_PART)]);
const boardQuery = z.object({
  part: z
    .union([part.transform((one) => [one]), list(part, 0, PARTS_MAXIMUM)])
    .optional()
    .describe('Only these parts: gates by uuid, or the waiting loads'),
  screen: z.literal('wall').optional().describe('On a screen without input'),
});

/** The gate board, and the page of each gate. */
export function boardPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/board',
    right: 'see',
    query: boardQuery,
    async view(at, _, query) {
      if (query.screen === 'wall') {
        return {
          title: at.words.t('board.gates'),
          body: <WallView board={await readBoard(at.database)} />,
          bare: true,
          scripts: ['wall.js'],
          words: ['live', 'wall'],
          styles: ['wall.css'],
        };
      }
      const wanted = query.part && {
        gates: query.part.filter((one) => one !== WAITING_PART),
        waiting: query.part.includes(WAITING_PART),
      };
      const board = await readBoard(at.database, wanted);
      const quiet = quietHoursOf(at.session.organization);
      return {
        title: at.words.t('gate.board'),
        aside: (
          <>
            <a class="button quiet" href="/app/board?screen=wall">
              {at.words.t('board.wall')}
            </a>
            <LiveStatus again="/app/board" notices />
          </>
        ),
        body: (
          <BoardView
            board={board}
            rights={rightsOf(at)}
            whole={wanted === undefined}
            quiet={quiet && quietPeriod(quiet, Date.now())}
          />
        ),
        ...ASSETS,
      };
    },
    actions: boardActions(),
  });

  page(app, {
    path: '/app/gate/:uuid',
    right: 'see',
    languages: LANGUAGES,
    params: byUuid,
    tablet: atGate,
    query: z.object({
      q: z.string().trim().max(READING_MAXIMUM).optional(),
      scan: z.string().max(READING_MAXIMUM).optional().describe('A scan that may mean several pallets'),
      note: z.enum(NOTES).optional().describe('The form about a pallet, for browsers without scripts'),
      of: z.uuid().optional().describe('The loading record of that pallet'),
    }),
    async view(at, { uuid }, query) {
      const q = query.q || null;
      const found = await readGatePage(at.database, uuid, q, badgesAt(at));
      if (!found) return refuseMissing('gateNotFound', uuid);
      return {
        title: found.gate.name,
        tab: gateTitle(at.words, found.gate),
        body: (
          <GatePanel
            page={found}
            rights={rightsOf(at)}
            q={q}
            now={Date.now()}
            choice={await choiceAt(at, uuid, query.scan)}
            noted={query}
          />
        ),
        bare: true,
        scripts: ['gate.js'],
        words: ['live', 'tablet', 'text'],
        styles: ['gate.css'],
      };
    },
    actions: gateActions(),
  });

  gateLabelPage(app);

  page(app, {
    path: '/app/gate/:uuid/scan',
    right: 'mark',
    languages: LANGUAGES,
    params: byUuid,
    tablet: atGate,
    async view(at, { uuid }) {
      const found = await readGatePage(at.database, uuid, null, badgesAt(at));
      if (!found) return refuseMissing('gateNotFound', uuid);
      return {
        title: found.gate.name,
        tab: gateTitle(at.words, found.gate),
        body: <CameraView page={found} rights={rightsOf(at)} />,
        bare: true,
        wasm: true,
        scripts: ['gate-camera.js'],
        words: ['live', 'tablet', 'camera', 'text'],
        styles: ['gate.css'],
      };
    },
    actions: gateActions(),
  });
}
