import { OpenAPIHono } from '@hono/zod-openapi';
import { Hono } from 'hono';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { alertRoutes } from './alert/routes.ts';
import { namingArchive } from './archive/hint.ts';
import { archiveRoutes } from './archive/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { calibrationRoutes } from './calibration/routes.ts';
import { clientRoutes } from './client/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { operatorRoutes } from './credential/operator-routes.ts';
import { credentialRoutes } from './credential/routes.ts';
import { databaseRoutes } from './database/routes.ts';
import { deadLetterRoutes } from './dead-letter/routes.ts';
import { deviceRoutes } from './device/routes.ts';
import { completeDocument } from './docs/document.ts';
import { postmanCollection } from './docs/postman.ts';
import { docsRoutes, indexOr } from './docs/routes.ts';
import { epcisRoutes } from './epcis/routes.ts';
import { eventRoutes } from './event/routes.ts';
import { healthRoutes } from './http/health.ts';
import { configured, costHeader, requestContext, unrouted } from './http/middleware.ts';
import { openApiDocument } from './http/openapi.ts';
import { handleError } from './http/problem.ts';
import { requestLog } from './http/request-log.ts';
import { register } from './http/routing.ts';
import type { AppEnv } from './http/types.ts';
import { loadingRoutes } from './loading/routes.ts';
import { scanRoutes } from './loading/scan-routes.ts';
import { manifestAssetRoutes } from './manifest/asset-routes.ts';
import { manifestRoutes } from './manifest/routes.ts';
import { markerRoutes } from './marker/routes.ts';
import { languageRoutes } from './messages/routes.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { moveRoutes } from './move/routes.ts';
import { operationRoutes } from './operation/routes.ts';
import { organizationRoutes } from './organization/routes.ts';
import { proofRoutes } from './pages/proof-routes.ts';
import { summaryRoutes } from './pages/summary-routes.tsx';
import { printingBatchRoutes } from './printing-batch/routes.ts';
import { printingSheetRoutes } from './printing-batch/sheet-routes.ts';
import { bulkRoutes } from './shipment/bulk-routes.ts';
import { shipmentMemberRoutes } from './shipment/member-routes.ts';
import { shipmentRoutes } from './shipment/routes.ts';
import { simulationRoutes } from './simulation/routes.ts';
import { siteRoutes } from './site/routes.ts';
import { presentEvent } from './told/presenters.ts';
import { markerTrackRoutes } from './track/marker-routes.ts';
import { trackRoutes } from './track/routes.ts';
import { trackTimelineRoutes } from './track/timeline-routes.ts';
import { transferRoutes } from './transfer/routes.ts';
import { userRoutes } from './user/routes.ts';
import { webhookDeliveryRoutes } from './webhook/delivery-routes.ts';
import { webhookRoutes } from './webhook/routes.ts';

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
  clientRoutes,
  trackRoutes,
  trackTimelineRoutes,
  manifestRoutes,
  manifestAssetRoutes,
  shipmentRoutes,
  shipmentMemberRoutes,
  bulkRoutes,
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
  summaryRoutes,
  proofRoutes,
  languageRoutes,
  consoleRoutes,
]) {
  declared.route('/', routes);
}
openApiDocument(declared, completeDocument, { '/postman.json': postmanCollection });

// RegExpRouter is set explicitly: by default, one path that it refuses would make Hono use a slower router for all of
// them.
const app = new Hono<AppEnv>({ router: new RegExpRouter() });
app.use(requestContext, configured, requestLog, costHeader);
app.onError(async (error, c) => handleError(await namingArchive(error, c), c));
register(app, declared.routes);
app.notFound(indexOr(unrouted(declared.routes)));

export { app };
