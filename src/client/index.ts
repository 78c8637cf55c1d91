/** Helpers for an integration, besides the types of `/openapi.json`: retries, walks through lists, webhooks. */
export { type Answer, ApiClient, ApiError, type RequestOptions, type Traffic, unlessDone } from './client.ts';
export { type Event, eventsAfter, type LoggedEvent, lastEvent, received, signed } from './webhooks.ts';
