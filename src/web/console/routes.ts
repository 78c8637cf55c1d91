import { OpenAPIHono } from '@hono/zod-openapi';
import type { AppContext, AppEnv } from '../../core/http/types.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import { callerOf } from '../../dispatch/tablet/request.ts';
import { failure, redirect, toSignIn } from '../ui/page/answer.tsx';
import { feedPages } from './board/feed-pages.ts';
import { boardPages } from './board/pages.tsx';
import { photoPage } from './board/photo-page.tsx';
import { keyPages } from './keys/pages.tsx';
import { operatorDatabasePages } from './operator/database-pages.tsx';
import { operatorDeadLetterPages } from './operator/dead-letter-pages.tsx';
import { operatorHealthPages } from './operator/health-pages.tsx';
import { operatorKeyPages } from './operator/key-pages.tsx';
import { operatorOperationPages } from './operator/operation-pages.tsx';
import { operatorOrganizationPages } from './operator/organization-pages.tsx';
import { operatorSignInPages } from './operator/sign-in-pages.tsx';
import { accountPages } from './people/account-pages.tsx';
import { authorityPages } from './people/authority-pages.tsx';
import { companyAccountPages } from './people/company-account-pages.tsx';
import { companySignInPages } from './people/company-sign-in-pages.tsx';
import { passwordPages } from './people/password-pages.tsx';
import { recoverPages } from './people/recover-pages.tsx';
import { signInPages } from './people/sign-in-pages.tsx';
import { userPages } from './people/user-pages.tsx';
import { reportPages } from './report/pages.tsx';
import { alertPages } from './resources/alert/pages.tsx';
import { archivePages } from './resources/archive/pages.tsx';
import { auditPages } from './resources/audit/pages.tsx';
import { calibrationPages } from './resources/calibration/pages.tsx';
import { clientPages } from './resources/client/pages.tsx';
import { credentialPages } from './resources/credential/pages.tsx';
import { sitePages } from './resources/gate/pages.tsx';
import { manifestPages } from './resources/manifest/pages.tsx';
import { markerPages } from './resources/marker/pages.tsx';
import { operationPages } from './resources/operation/pages.tsx';
import { printingPages } from './resources/printing-batch/pages.tsx';
import { sandboxPages } from './resources/sandbox/pages.tsx';
import { settingsPages } from './resources/settings/pages.tsx';
import { shipmentPages } from './resources/shipment/pages.tsx';
import { trackPages } from './resources/track/pages.tsx';
import { webhookPages } from './resources/webhook/pages.tsx';
import { searchPages } from './search/pages.tsx';
import { gateSignPage } from './signing/sign-page.tsx';
import { startPages } from './start/pages.tsx';
import { tabletPages } from './tablet/pages.tsx';
import { pairPage } from './tablet/pair-page.tsx';
import { workerPages } from './tablet/worker-pages.tsx';
import { todayPages } from './today/pages.tsx';

const app = new OpenAPIHono<AppEnv>();

for (const pages of [
  accountPages,
  alertPages,
  archivePages,
  auditPages,
  authorityPages,
  boardPages,
  photoPage,
  gateSignPage,
  calibrationPages,
  clientPages,
  companyAccountPages,
  companySignInPages,
  credentialPages,
  feedPages,
  keyPages,
  manifestPages,
  markerPages,
  operationPages,
  operatorDatabasePages,
  operatorDeadLetterPages,
  operatorHealthPages,
  operatorKeyPages,
  operatorOperationPages,
  operatorOrganizationPages,
  operatorSignInPages,
  passwordPages,
  recoverPages,
  printingPages,
  reportPages,
  sandboxPages,
  searchPages,
  settingsPages,
  shipmentPages,
  signInPages,
  sitePages,
  startPages,
  tabletPages,
  pairPage,
  todayPages,
  trackPages,
  userPages,
  webhookPages,
  workerPages,
]) {
  pages(app);
}

// Last route: answers every path without a page.
app.get('/app/*', async (context) => {
  const c = context as unknown as AppContext;
  try {
    const session = await callerOf(c);
    if (!session) return toSignIn(c);
    if (session.tablet) return redirect(c, `/app/gate/${session.tablet.gateUuid}`);
    return failure(
      c,
      session,
      new ProblemError(refusal('notFound', 'This page does not exist. Check its address.')),
    );
  } catch (error) {
    return failure(c, null, error);
  }
});

export const consoleRoutes = app;
