import type { Hono } from 'hono';
import type { AppEnv } from '../http/types.ts';
import { page } from './page.tsx';

/** The page that people come to first. */
export function dashboardPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app',
    right: 'see',
    view: ({ session }) => ({
      title: 'Dashboard',
      body: <p>Signed in as {session.user.email}.</p>,
    }),
  });
}
