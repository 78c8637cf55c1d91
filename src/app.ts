import { OpenAPIHono } from '@hono/zod-openapi';
import { Hono } from 'hono';
import { operatorRoutes } from './access/credential/operator-routes.ts';
import { credentialRoutes } from './access/credential/routes.ts';
import { databaseRoutes } from './access/database/routes.ts';
import { organizationRoutes } from './access/organization/routes.ts';
import { userRoutes } from './access/user/routes.ts';
import { healthRoutes } from './core/http/health.ts';
import { checkOverride } from './core/http/method-override.ts';
import {
  configured,
  costHeader,
  methodsOf,
  requestContext,
  unrouted,
  withoutSlash,
} from './core/http/middleware.ts';
import { openApiDocument } from './core/http/openapi.ts';
import { handleError } from './core/http/problem.ts';
import { requestLog } from './core/http/request-log.ts';
import type { AppEnv } from './core/http/types.ts';
import { epcisRoutes } from './delivery/epcis/routes.ts';
import { presentEvent } from './delivery/event-format/presenters.ts';
import { webhookDeliveryRoutes } from './delivery/webhook/delivery-routes.ts';
import { webhookRoutes } from './delivery/webhook/routes.ts';
import { alertRoutes } from './dispatch/alert/routes.ts';
import { calibrationRoutes } from './dispatch/calibration/routes.ts';
import { clientRoutes } from './dispatch/client/routes.ts';
import { deviceRoutes } from './dispatch/device/routes.ts';
import { siteRoutes } from './dispatch/gate/routes.ts';
import { labelRoutes } from './dispatch/label/routes.ts';
import { manifestAssetRoutes } from './dispatch/load/manifest/asset-routes.ts';
import { manifestRoutes } from './dispatch/load/manifest/routes.ts';
import { bulkRoutes } from './dispatch/load/shipment/bulk-routes.ts';
import { shipmentMemberRoutes } from './dispatch/load/shipment/member-routes.ts';
import { shipmentRoutes } from './dispatch/load/shipment/routes.ts';
import { signatureRoutes } from './dispatch/load/shipment/signature-routes.ts';
import { loadingRoutes } from './dispatch/loading/routes.ts';
import { scanRoutes } from './dispatch/loading/scan-routes.ts';
import { markerRoutes } from './dispatch/marker/routes.ts';
import { photoRoutes } from './dispatch/photo/routes.ts';
import { printingBatchRoutes } from './dispatch/printing-batch/routes.ts';
import { printingSheetRoutes } from './dispatch/printing-batch/sheet-routes.ts';
import { reportRoutes } from './dispatch/report/routes.ts';
import { simulationRoutes } from './dispatch/simulation/routes.ts';
import { markerTrackRoutes } from './dispatch/track/marker-routes.ts';
import { trackRoutes } from './dispatch/track/routes.ts';
import { trackTimelineRoutes } from './dispatch/track/timeline-routes.ts';
import { auditRoutes } from './log/audit/routes.ts';
import { eventRoutes } from './log/event/routes.ts';
import { operationRoutes } from './log/operation/routes.ts';
import { languageRoutes } from './messages/routes.ts';
import { namingArchive } from './storage/archive/hint.ts';
import { archiveRoutes } from './storage/archive/routes.ts';
import { deadLetterRoutes } from './storage/dead-letter/routes.ts';
import { metricsRoutes } from './storage/metrics/routes.ts';
import { moveRoutes } from './storage/move/routes.ts';
import { transferRoutes } from './storage/transfer/routes.ts';
import { consoleRoutes } from './web/console/routes.ts';
import { completeDocument } from './web/docs/document.ts';
import { docsRoutes, indexOr } from './web/docs/routes.ts';
import { driverRoutes } from './web/pages/driver-routes.tsx';
import { mailLinkRoutes } from './web/pages/mail-link-routes.tsx';
import { photoLinkRoutes } from './web/pages/photo-routes.ts';
import { proofDigest } from './web/pages/proof-digest.ts';
import { proofRoutes } from './web/pages/proof-routes.ts';
import { signRoutes } from './web/pages/sign-routes.tsx';
import { summaryRoutes } from './web/pages/summary-routes.tsx';

/** The routes that all modules declare. */
const declared = new OpenAPIHono<AppEnv>();
for (const routes of [
  healthRoutes,
  operatorRoutes,
  organizationRoutes,
  databaseRoutes,
  moveRoutes,
  transferRoutes,
  metricsRoutes,
  credentialRoutes,
  siteRoutes,
  deviceRoutes,
  calibrationRoutes,
  markerRoutes,
  markerTrackRoutes,
  printingBatchRoutes,
  printingSheetRoutes,
  labelRoutes,
  clientRoutes,
  trackRoutes,
  trackTimelineRoutes,
  photoRoutes,
  manifestRoutes,
  manifestAssetRoutes,
  shipmentRoutes,
  shipmentMemberRoutes,
  signatureRoutes(proofDigest),
  bulkRoutes,
  reportRoutes,
  archiveRoutes,
  loadingRoutes,
  scanRoutes,
  simulationRoutes,
  alertRoutes,
  auditRoutes,
  eventRoutes(presentEvent),
  epcisRoutes,
  operationRoutes,
  deadLetterRoutes,
  userRoutes,
  webhookRoutes,
  webhookDeliveryRoutes,
  docsRoutes,
  driverRoutes,
  summaryRoutes,
  proofRoutes,
  signRoutes,
  mailLinkRoutes,
  photoLinkRoutes,
  languageRoutes,
  consoleRoutes,
]) {
  declared.route('/', routes);
}
openApiDocument(declared, completeDocument);

const app = new Hono<AppEnv>();
const methodsAt = methodsOf(declared.routes);
app.use(requestContext, configured, requestLog, costHeader, checkOverride, withoutSlash(methodsAt));
app.onError(async (error, c) => handleError(await namingArchive(error, c), c));
for (const { method, path, handler } of declared.routes) {
  app.on(method, path, (c, next) => {
    c.set('route', path);
    return handler(c, next);
  });
}
app.notFound(indexOr(unrouted(methodsAt)));

export { app };
