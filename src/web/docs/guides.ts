/** A guide in `guides/{name}.md`, served at `/docs/{name}`. The name may have folders, such as `manual/loader`. */
export interface Guide {
  name: string;
  /** The first heading of the file. */
  title: string;
  /** The language of the text, if it is not English. */
  language?: 'de';
}

/** The guides by reader, in the order of the navigation. Previous and next links follow the same order. */
export const GUIDE_GROUPS: readonly { title: string; language?: 'de'; guides: readonly Guide[] }[] = [
  {
    title: 'Get started',
    guides: [
      { name: 'quickstart', title: 'Quick start' },
      { name: 'concepts', title: 'Concepts' },
      { name: 'dispatch-day', title: 'A dispatch day in curl' },
      { name: 'writing-a-client', title: 'Writing a client' },
      { name: 'webhooks', title: 'Receiving webhooks' },
    ],
  },
  {
    title: 'Look it up',
    guides: [
      { name: 'events', title: 'Events' },
      { name: 'errors', title: 'Errors' },
      { name: 'epcis', title: 'EPCIS events for trading partners' },
      { name: 'client', title: 'The client library, and events on your machine' },
      { name: 'limits', title: 'Limits' },
      { name: 'supported', title: 'What is supported' },
      { name: 'versioning', title: 'Versions and deprecation' },
      { name: 'changelog', title: 'Changelog' },
      { name: 'guarantees', title: 'Guarantees and why they hold' },
    ],
  },
  {
    title: 'Manuals',
    guides: [
      { name: 'manual/loader', title: 'Manual: loading at a gate' },
      { name: 'manual/dispatcher', title: 'Manual: dispatch desk' },
      { name: 'manual/office', title: 'Manual: office and administration' },
    ],
  },
  {
    title: 'Handbücher',
    language: 'de',
    guides: [
      { name: 'de/manual/loader', title: 'Handbuch: Laden am Tor', language: 'de' },
      { name: 'de/manual/dispatcher', title: 'Handbuch: Disposition', language: 'de' },
      { name: 'de/manual/office', title: 'Handbuch: Büro und Verwaltung', language: 'de' },
    ],
  },
  {
    title: 'For warehouses',
    guides: [
      { name: 'operations-pages', title: 'The operations pages' },
      { name: 'labels', title: 'Labels of pallets' },
      { name: 'tablets', title: 'Tablets of gates' },
      { name: 'public-pages', title: 'Pages for drivers and consignees' },
      { name: 'evidence', title: 'Photos as evidence' },
      { name: 'reports', title: 'Reports' },
      { name: 'company-accounts', title: 'Company accounts' },
      { name: 'audit-log', title: 'The audit log' },
    ],
  },
  {
    title: 'For operators of the service',
    guides: [
      { name: 'first-deployment', title: 'First deployment in 30 minutes' },
      { name: 'deploying', title: 'Deploying' },
      { name: 'operating', title: 'Operating' },
      { name: 'cost', title: 'Costs' },
      { name: 'speed', title: 'Speed' },
      { name: 'runbook', title: 'Runbook' },
      { name: 'alerts', title: 'Alerts, traces and logs' },
    ],
  },
];

export const GUIDES: readonly Guide[] = GUIDE_GROUPS.flatMap(({ guides }) => guides);

/** The roles that have a manual. */
export type ManualRole = 'loader' | 'dispatcher' | 'office';

/** The path of the manual of a role, in German for German readers and in English for all others. */
export const manualPath = (role: ManualRole, language: string): string =>
  `/docs/${language === 'de' ? 'de/' : ''}manual/${role}`;

/** Earlier names of guides, and their present names. Old links keep working. */
export const MOVED_GUIDES: Readonly<Record<string, string>> = { costs: 'cost' };
