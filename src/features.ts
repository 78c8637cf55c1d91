import type { OpenAPIHono } from '@hono/zod-openapi';
import * as credential from './access/credential/commands.ts';
import { operatorRoutes } from './access/credential/operator-routes.ts';
import { credentialRoutes } from './access/credential/routes.ts';
import * as database from './access/database/commands.ts';
import { databaseRoutes } from './access/database/routes.ts';
import * as oidc from './access/oidc/commands.ts';
import * as organization from './access/organization/commands.ts';
import { organizationRoutes } from './access/organization/routes.ts';
import * as organizationShipments from './access/organization/shipment-commands.ts';
import * as passkey from './access/passkey/commands.ts';
import * as savedView from './access/saved-view/commands.ts';
import * as session from './access/session/commands.ts';
import * as sessionPassword from './access/session/password-commands.ts';
import { pruneSessions } from './access/session/store.ts';
import * as userAuthority from './access/user/authority-commands.ts';
import * as user from './access/user/commands.ts';
import * as userErase from './access/user/erase-commands.ts';
import { finishErasures, overdueErasures } from './access/user/erase-job.ts';
import * as userInvite from './access/user/invite-commands.ts';
import { userRoutes } from './access/user/routes.ts';
import type { Env } from './core/env.ts';
import { healthRoutes } from './core/http/health.ts';
import type { AppEnv } from './core/http/types.ts';
import { registry } from './core/writer/command.ts';
import type { Overdue } from './core/writer/each.ts';
import type { Job } from './core/writer/jobs.ts';
import { epcisRoutes } from './delivery/epcis/routes.ts';
import { presentEvent } from './delivery/event-format/formats.ts';
import * as webhook from './delivery/webhook/commands.ts';
import * as webhookDelivery from './delivery/webhook/delivery-commands.ts';
import { dispatchWebhooks, overdueWebhooks } from './delivery/webhook/dispatch.ts';
import { pruneDeliveries } from './delivery/webhook/message-store.ts';
import { webhookRoutes } from './delivery/webhook/routes.ts';
import * as alert from './dispatch/alert/commands.ts';
import { alertRoutes } from './dispatch/alert/routes.ts';
import * as calibration from './dispatch/calibration/commands.ts';
import { calibrationRoutes } from './dispatch/calibration/routes.ts';
import * as client from './dispatch/client/commands.ts';
import { clientRoutes } from './dispatch/client/routes.ts';
import * as departure from './dispatch/departure/commands.ts';
import { watchDepartures } from './dispatch/departure/job.ts';
import { overdueDepartures } from './dispatch/departure/store.ts';
import * as device from './dispatch/device/commands.ts';
import { deviceRoutes } from './dispatch/device/routes.ts';
import * as gate from './dispatch/gate/commands.ts';
import { siteRoutes } from './dispatch/gate/routes.ts';
import { labelRoutes } from './dispatch/label/routes.ts';
import * as manifest from './dispatch/load/manifest/commands.ts';
import * as manifestCoupling from './dispatch/load/manifest/coupling-commands.ts';
import * as manifestCreation from './dispatch/load/manifest/creation-commands.ts';
import * as manifestLifecycle from './dispatch/load/manifest/lifecycle-commands.ts';
import { manifestRoutes } from './dispatch/load/manifest/routes.ts';
import * as shipmentBulk from './dispatch/load/shipment/bulk-commands.ts';
import * as shipment from './dispatch/load/shipment/commands.ts';
import * as shipmentLifecycle from './dispatch/load/shipment/lifecycle-commands.ts';
import { shipmentMemberRoutes } from './dispatch/load/shipment/member-routes.ts';
import * as shipmentOrder from './dispatch/load/shipment/order-commands.ts';
import { shipmentRoutes } from './dispatch/load/shipment/routes.ts';
import { signatureRoutes } from './dispatch/load/shipment/signature-routes.ts';
import * as loading from './dispatch/loading/commands.ts';
import { loadingRoutes } from './dispatch/loading/routes.ts';
import * as loadingScan from './dispatch/loading/scan-commands.ts';
import { pruneScans } from './dispatch/loading/scan-store.ts';
import * as marker from './dispatch/marker/commands.ts';
import { markerRoutes } from './dispatch/marker/routes.ts';
import * as photo from './dispatch/photo/commands.ts';
import { photoRoutes } from './dispatch/photo/routes.ts';
import * as printingBatch from './dispatch/printing-batch/commands.ts';
import { printingBatchRoutes } from './dispatch/printing-batch/routes.ts';
import { reportRoutes } from './dispatch/report/routes.ts';
import * as simulation from './dispatch/simulation/commands.ts';
import { simulationRoutes } from './dispatch/simulation/routes.ts';
import * as tablet from './dispatch/tablet/commands.ts';
import { pruneTablets } from './dispatch/tablet/store.ts';
import * as tabletWorker from './dispatch/tablet/worker-commands.ts';
import * as track from './dispatch/track/commands.ts';
import * as trackCoupling from './dispatch/track/coupling-commands.ts';
import { markerTrackRoutes } from './dispatch/track/marker-routes.ts';
import { trackRoutes } from './dispatch/track/routes.ts';
import * as undo from './dispatch/undo/commands.ts';
import { auditRoutes } from './log/audit/routes.ts';
import { eventRoutes } from './log/event/routes.ts';
import { pruneEvents } from './log/event/store.ts';
import { overdueOperations, sendOperations } from './log/operation/job.ts';
import { operationRoutes } from './log/operation/routes.ts';
import { pruneOperations } from './log/operation/store.ts';
import { languageRoutes } from './messages/routes.ts';
import * as retention from './retention/commands.ts';
import { keepRetention, overdueRetention } from './retention/job.ts';
import { archiveRoutes } from './storage/archive/routes.ts';
import * as deadLetter from './storage/dead-letter/commands.ts';
import { deadLetterRoutes } from './storage/dead-letter/routes.ts';
import { pruneDeadLetters } from './storage/dead-letter/store.ts';
import { longJobs, overdueLongJobs } from './storage/long-job/job.ts';
import { metricsRoutes } from './storage/metrics/routes.ts';
import * as move from './storage/move/commands.ts';
import { moves } from './storage/move/job.ts';
import { moveRoutes } from './storage/move/routes.ts';
import * as restore from './storage/restore/commands.ts';
import { restores } from './storage/restore/job.ts';
import { exportNightly, overdueNightlyExports } from './storage/restore/nightly-job.ts';
import { restoreRoutes } from './storage/restore/routes.ts';
import * as transfer from './storage/transfer/commands.ts';
import { transfers } from './storage/transfer/job.ts';
import { transferRoutes } from './storage/transfer/routes.ts';
import { feedPages } from './web/console/board/feed-pages.ts';
import { boardPages } from './web/console/board/pages.tsx';
import { photoPage } from './web/console/board/photo-page.tsx';
import { keyPages } from './web/console/keys/pages.tsx';
import { operatorDatabasePages } from './web/console/operator/database-pages.tsx';
import { operatorDeadLetterPages } from './web/console/operator/dead-letter-pages.tsx';
import { operatorHealthPages } from './web/console/operator/health-pages.tsx';
import { operatorKeyPages } from './web/console/operator/key-pages.tsx';
import { operatorOperationPages } from './web/console/operator/operation-pages.tsx';
import { operatorOrganizationPages } from './web/console/operator/organization-pages.tsx';
import { operatorSignInPages } from './web/console/operator/sign-in-pages.tsx';
import { accountPages } from './web/console/people/account-pages.tsx';
import { authorityPages } from './web/console/people/authority-pages.tsx';
import { companyAccountPages } from './web/console/people/company-account-pages.tsx';
import { companySignInPages } from './web/console/people/company-sign-in-pages.tsx';
import { passwordPages } from './web/console/people/password-pages.tsx';
import { recoverPages } from './web/console/people/recover-pages.tsx';
import { signInPages } from './web/console/people/sign-in-pages.tsx';
import { userPages } from './web/console/people/user-pages.tsx';
import { reportPages } from './web/console/report/pages.tsx';
import { alertPages } from './web/console/resources/alert/pages.tsx';
import { archivePages } from './web/console/resources/archive/pages.tsx';
import { auditPages } from './web/console/resources/audit/pages.tsx';
import { calibrationPages } from './web/console/resources/calibration/pages.tsx';
import { clientPages } from './web/console/resources/client/pages.tsx';
import { credentialPages } from './web/console/resources/credential/pages.tsx';
import { sitePages } from './web/console/resources/gate/pages.tsx';
import { manifestPages } from './web/console/resources/manifest/pages.tsx';
import { markerPages } from './web/console/resources/marker/pages.tsx';
import { operationPages } from './web/console/resources/operation/pages.tsx';
import { printingPages } from './web/console/resources/printing-batch/pages.tsx';
import { sandboxPages } from './web/console/resources/sandbox/pages.tsx';
import { settingsPages } from './web/console/resources/settings/pages.tsx';
import { shipmentPages } from './web/console/resources/shipment/pages.tsx';
import { trackPages } from './web/console/resources/track/pages.tsx';
import { webhookPages } from './web/console/resources/webhook/pages.tsx';
import { searchPages } from './web/console/search/pages.tsx';
import { gateSignPage } from './web/console/signing/sign-page.tsx';
import { startPages } from './web/console/start/pages.tsx';
import { tabletPages } from './web/console/tablet/pages.tsx';
import { pairPage } from './web/console/tablet/pair-page.tsx';
import { workerPages } from './web/console/tablet/worker-pages.tsx';
import { todayPages } from './web/console/today/pages.tsx';
import { docsRoutes } from './web/docs/routes.ts';
import { driverRoutes } from './web/pages/driver-routes.tsx';
import { mailLinkRoutes } from './web/pages/mail-link-routes.tsx';
import { photoLinkRoutes } from './web/pages/photo-routes.ts';
import { proofDigest } from './web/pages/proof-digest.ts';
import { proofRoutes } from './web/pages/proof-routes.ts';
import { signRoutes } from './web/pages/sign-routes.tsx';
import { summaryRoutes } from './web/pages/summary-routes.tsx';

/** What a feature adds to the service. */
interface Feature {
  /** Operations of the API, and public pages. */
  routes?: readonly OpenAPIHono<AppEnv>[];
  /** Declare pages of `/app` and `/operator`. */
  pages?: readonly ((console: OpenAPIHono<AppEnv>) => void)[];
  /** Modules that export commands. */
  commands?: readonly object[];
  /** Background jobs of an organization's object, */
  jobs?: readonly Job<Env>[];
  /** and queries for organizations in which they are overdue. The schedule wakes these. */
  overdue?: readonly Overdue[];
  /** Delete expired rows of all organizations of a database. Each day the schedule calls all of them. */
  prunes?: readonly ((db: D1Database, now: number) => Promise<unknown>)[];
}

/** All features. Jobs that others wait for come first: an object runs them in this order. */
const FEATURES = {
  health: {
    routes: [healthRoutes],
  },
  organization: {
    routes: [operatorRoutes, organizationRoutes, databaseRoutes],
    pages: [
      settingsPages,
      operatorOrganizationPages,
      operatorDatabasePages,
      operatorHealthPages,
      operatorKeyPages,
    ],
    commands: [organization, organizationShipments, database],
  },
  credential: {
    routes: [credentialRoutes],
    pages: [credentialPages],
    commands: [credential],
  },
  operation: {
    routes: [operationRoutes],
    pages: [operationPages, operatorOperationPages],
    jobs: [sendOperations],
    overdue: [overdueOperations],
    prunes: [pruneOperations],
  },
  eventLog: {
    routes: [eventRoutes(presentEvent), epcisRoutes],
    prunes: [pruneEvents],
  },
  webhook: {
    routes: [webhookRoutes],
    pages: [webhookPages],
    commands: [webhook, webhookDelivery],
    jobs: [dispatchWebhooks],
    overdue: [overdueWebhooks],
    prunes: [pruneDeliveries],
  },
  longJob: {
    jobs: [longJobs([moves, transfers, restores])],
    overdue: [overdueLongJobs],
  },
  move: {
    routes: [moveRoutes],
    commands: [move],
  },
  transfer: {
    routes: [transferRoutes],
    commands: [transfer],
  },
  restore: {
    routes: [restoreRoutes],
    commands: [restore],
    jobs: [exportNightly],
    overdue: [overdueNightlyExports],
  },
  user: {
    routes: [userRoutes, mailLinkRoutes],
    pages: [
      signInPages,
      recoverPages,
      passwordPages,
      accountPages,
      companyAccountPages,
      companySignInPages,
      userPages,
      authorityPages,
    ],
    commands: [
      user,
      userAuthority,
      userErase,
      userInvite,
      session,
      sessionPassword,
      passkey,
      oidc,
      savedView,
    ],
    jobs: [finishErasures],
    overdue: [overdueErasures],
    prunes: [pruneSessions],
  },
  auditLog: {
    routes: [auditRoutes],
    pages: [auditPages],
  },
  deadLetter: {
    routes: [deadLetterRoutes],
    pages: [operatorDeadLetterPages],
    commands: [deadLetter],
    prunes: [pruneDeadLetters],
  },
  metrics: {
    routes: [metricsRoutes],
  },
  archive: {
    routes: [archiveRoutes],
    pages: [archivePages],
    commands: [retention],
    jobs: [keepRetention],
    overdue: [overdueRetention],
  },
  gate: {
    routes: [siteRoutes],
    pages: [sitePages, boardPages, feedPages],
    commands: [gate],
  },
  tablet: {
    pages: [tabletPages, pairPage, workerPages],
    commands: [tablet, tabletWorker],
    prunes: [pruneTablets],
  },
  device: {
    routes: [deviceRoutes],
    commands: [device],
  },
  calibration: {
    routes: [calibrationRoutes],
    pages: [calibrationPages],
    commands: [calibration],
  },
  marker: {
    routes: [markerRoutes, markerTrackRoutes],
    pages: [markerPages],
    commands: [marker],
  },
  printing: {
    routes: [printingBatchRoutes, labelRoutes],
    pages: [printingPages],
    commands: [printingBatch],
  },
  client: {
    routes: [clientRoutes],
    pages: [clientPages],
    commands: [client],
  },
  track: {
    routes: [trackRoutes],
    pages: [trackPages],
    commands: [track, trackCoupling],
  },
  photo: {
    routes: [photoRoutes, photoLinkRoutes],
    pages: [photoPage],
    commands: [photo],
  },
  manifest: {
    routes: [manifestRoutes],
    pages: [manifestPages],
    commands: [manifest, manifestCoupling, manifestCreation, manifestLifecycle],
  },
  shipment: {
    routes: [shipmentRoutes, shipmentMemberRoutes, signatureRoutes(proofDigest)],
    pages: [shipmentPages, gateSignPage],
    commands: [shipment, shipmentBulk, shipmentLifecycle, shipmentOrder],
  },
  loading: {
    routes: [loadingRoutes],
    commands: [loading, loadingScan, undo],
    prunes: [pruneScans],
  },
  departure: {
    pages: [todayPages],
    commands: [departure],
    jobs: [watchDepartures],
    overdue: [overdueDepartures],
  },
  alert: {
    routes: [alertRoutes],
    pages: [alertPages],
    commands: [alert],
  },
  report: {
    routes: [reportRoutes],
    pages: [reportPages],
  },
  simulation: {
    routes: [simulationRoutes],
    pages: [sandboxPages],
    commands: [simulation],
  },
  publicPage: {
    routes: [driverRoutes, summaryRoutes, proofRoutes, signRoutes],
  },
  language: {
    routes: [languageRoutes],
  },
  documentation: {
    routes: [docsRoutes],
  },
  console: {
    pages: [keyPages, searchPages, startPages, operatorSignInPages],
  },
} satisfies Record<string, Feature>;

const features: readonly Feature[] = Object.values(FEATURES);
type Commanding = Extract<(typeof FEATURES)[keyof typeof FEATURES], { commands: unknown }>;

/** All commands by name. */
export const commands = registry(
  features.flatMap((feature) => feature.commands ?? []) as Commanding['commands'][number][],
);
export type Commands = typeof commands;

export const jobs = features.flatMap((feature) => feature.jobs ?? []);
export const overdue = features.flatMap((feature) => feature.overdue ?? []);
export const prunes = features.flatMap((feature) => feature.prunes ?? []);
export const routes = features.flatMap((feature) => feature.routes ?? []);
export const pages = features.flatMap((feature) => feature.pages ?? []);
