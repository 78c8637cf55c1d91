import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { remember } from '../../../core/http/remember.ts';
import type { AppContext, AppEnv } from '../../../core/http/types.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { redirect } from '../../ui/page/answer.tsx';
import { plansDay } from '../../ui/page/menu.tsx';
import { page } from '../../ui/page/page.tsx';
import type { View } from '../../ui/parts/view.ts';
import { startActions } from './actions.ts';
import { Checklist, openSteps } from './checklist.tsx';
import { readStarted } from './store.ts';

/**
 * Whether the browser hides the list of setup steps. A choice in the URL is remembered in a cookie, because it is
 * about this browser and changes nothing in the organization.
 */
function isHidden(c: AppContext, organization: string, asked: 'hide' | 'show' | undefined): boolean {
  const name = `start-${organization.slice(-8)}`;
  if (asked !== undefined) remember(c, name, asked, '/app');
  return (asked ?? getCookie(c, name)) === 'hide';
}

const query = z.object({ start: z.enum(['hide', 'show']).optional().catch(undefined) });
type StartQuery = z.output<typeof query>;

/** The first page after the sign-in: the steps that are left to set up, or the page where the user works. */
export function startPages(app: Hono<AppEnv>): void {
  page(app, { path: '/app', right: 'see', query, actions: startActions, view: firstPage });
}

/**
 * The page where a user works. Who plans or watches begins with the day. Who only loads begins with the gates, and so does
 * everybody in an organization without planned departures.
 */
const workPage = (at: PageContext): string =>
  plansDay(at.session) && (at.may('operate') || at.may('seeOffice')) ? '/app/today' : '/app/board';

async function firstPage(at: PageContext, _: object, { start }: StartQuery): Promise<View | Response> {
  const setsUp = at.may('changeSettings') && !isHidden(at.c, at.session.organization.uuid, start);
  const has = setsUp ? await readStarted(at.database) : undefined;
  const steps = has && openSteps(at, has);
  if (!steps) return redirect(at.c, workPage(at));
  return {
    title: at.words.t('start.first'),
    aside: (
      <a class="button quiet" href={workPage(at)}>
        {at.words.t(plansDay(at.session) ? 'day.today' : 'menu.board')}
      </a>
    ),
    styles: ['settings.css'],
    body: <Checklist steps={steps} has={has} />,
  };
}
