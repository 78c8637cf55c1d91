/** The guides in `guides/{name}.md`, in the order of the list. Each is served at `/docs/{name}`. */
export const GUIDES = [
  { name: 'dispatch-day', title: 'A dispatch day in curl' },
  { name: 'writing-a-client', title: 'Writing a client' },
  { name: 'kit', title: 'The kit: a client, and events on your machine' },
  { name: 'webhooks', title: 'Receiving webhooks' },
  { name: 'epcis', title: 'EPCIS events for trading partners' },
  { name: 'public-pages', title: 'Pages for drivers and consignees' },
  { name: 'evidence', title: 'Photos as evidence' },
  { name: 'reports', title: 'Reports' },
  { name: 'operations-pages', title: 'The operations pages' },
  { name: 'labels', title: 'Labels of pallets' },
  { name: 'tablets', title: 'Tablets of gates' },
  { name: 'company-accounts', title: 'Company accounts' },
  { name: 'audit-log', title: 'The audit log' },
  { name: 'limits', title: 'Limits' },
  { name: 'costs', title: 'Costs' },
  { name: 'guarantees', title: 'Guarantees and why they hold' },
  { name: 'first-deployment', title: 'First deployment in 30 minutes' },
  { name: 'deploying', title: 'Deploying' },
  { name: 'operating', title: 'Operating' },
  { name: 'alerts', title: 'Alerts, traces and logs' },
  { name: 'runbook', title: 'Runbook' },
] as const;

export type Guide = (typeof GUIDES)[number];
