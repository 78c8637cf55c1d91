import { OpenAPIHono } from '@hono/zod-openapi';
import type { AppContext, AppEnv } from '../http/types.ts';
import { ProblemError, refusal } from '../lib/problem.ts';
import { sessionOf } from '../session/request.ts';
import { accountPages } from './account-pages.tsx';
import { boardPages } from './board-pages.tsx';
import { dashboardPages } from './dashboard-pages.tsx';
import { feedPages } from './feed-pages.ts';
import { failure, toSignIn } from './page.tsx';
import { signInPages } from './sign-in-pages.tsx';

const app = new OpenAPIHono<AppEnv>();

for (const pages of [signInPages, accountPages, dashboardPages, boardPages, feedPages]) pages(app);

// After all pages: what is none of them.
app.get('/app/*', async (context) => {
  const c = context as unknown as AppContext;
  const session = await sessionOf(c);
  if (!session) return toSignIn(c);
  return failure(c, session, new ProblemError(refusal('notFound', 'There is no page at this address.')));
});

export const consoleRoutes = app;
