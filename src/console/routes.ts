import { OpenAPIHono } from '@hono/zod-openapi';
import type { AppContext, AppEnv } from '../http/types.ts';
import { ProblemError, refusal } from '../lib/problem.ts';
import { sessionOf } from '../session/request.ts';
import { accountPages } from './account-pages.tsx';
import { alertPages } from './alert-pages.tsx';
import { auditPages } from './audit-pages.tsx';
import { authorityPages } from './authority-pages.tsx';
import { boardPages } from './board-pages.tsx';
import { calibrationPages } from './calibration-pages.tsx';
import { clientPages } from './client-pages.tsx';
import { dashboardPages } from './dashboard-pages.tsx';
import { feedPages } from './feed-pages.ts';
import { manifestPages } from './manifest-pages.tsx';
import { markerPages } from './marker-pages.tsx';
import { operationPages } from './operation-pages.tsx';
import { failure, toSignIn } from './page.tsx';
import { passwordPages } from './password-pages.tsx';
import { printingPages } from './printing-pages.tsx';
import { settingsPages } from './settings-pages.tsx';
import { shipmentPages } from './shipment-pages.tsx';
import { signInPages } from './sign-in-pages.tsx';
import { sitePages } from './site-pages.tsx';
import { trackPages } from './track-pages.tsx';
import { userPages } from './user-pages.tsx';
import { webhookPages } from './webhook-pages.tsx';

const app = new OpenAPIHono<AppEnv>();

for (const pages of [
  accountPages,
  alertPages,
  auditPages,
  authorityPages,
  boardPages,
  calibrationPages,
  clientPages,
  dashboardPages,
  feedPages,
  manifestPages,
  markerPages,
  operationPages,
  passwordPages,
  printingPages,
  settingsPages,
  shipmentPages,
  signInPages,
  sitePages,
  trackPages,
  userPages,
  webhookPages,
]) {
  pages(app);
}

// After all pages: what is none of them.
app.get('/app/*', async (context) => {
  const c = context as unknown as AppContext;
  try {
    const session = await sessionOf(c);
    if (!session) return toSignIn(c);
    return failure(c, session, new ProblemError(refusal('notFound', 'There is no page at this address.')));
  } catch (error) {
    return failure(c, null, error);
  }
});

export const consoleRoutes = app;
