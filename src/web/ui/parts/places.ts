import type { Key } from '../../../messages/messages.ts';
import type { IconName } from './icons.tsx';
import type { Right } from './rights.ts';

/** A feature that an organization may use. */
export type Feature = 'SHIPMENT' | 'CLIENT' | 'SANDBOX';

type MenuKey = Extract<Key, `menu.${string}`>;

export interface MenuItem {
  path: string;
  label: MenuKey;
  /** Its short name. */
  short?: MenuKey;
  right: Right;
  feature?: Feature;
  icon?: IconName;
  /** The query of its first view, if that does not show everything. */
  query?: string;
}

export const SHIPMENTS: MenuItem = {
  path: '/app/shipment',
  label: 'menu.shipments',
  right: 'see',
  feature: 'SHIPMENT',
  icon: 'truck',
};
export const MANIFESTS: MenuItem = {
  path: '/app/manifest',
  label: 'menu.manifests',
  right: 'see',
  icon: 'list',
};
export const REPORTS: MenuItem = {
  path: '/app/report',
  label: 'menu.reports',
  right: 'see',
  icon: 'chart',
};
export const TODAY: MenuItem = {
  path: '/app/today',
  label: 'menu.today',
  right: 'see',
  feature: 'SHIPMENT',
  icon: 'day',
};
export const BOARD: MenuItem = {
  path: '/app/board',
  label: 'menu.board',
  short: 'menu.gates',
  right: 'see',
  icon: 'gate',
};
export const ALERTS: MenuItem = {
  path: '/app/alert',
  label: 'menu.alerts',
  right: 'see',
  icon: 'bell',
  query: '?status=OPEN',
};

/** The places that are used all day. */
export const DAILY: readonly MenuItem[] = [
  TODAY,
  BOARD,
  SHIPMENTS,
  MANIFESTS,
  { path: '/app/track', label: 'menu.pallets', right: 'see', icon: 'pallet' },
  ALERTS,
  REPORTS,
];

/** Places that belong together. The menu shows a group as one entry that opens. */
export interface MenuGroup {
  label: MenuKey;
  icon: IconName;
  items: readonly MenuItem[];
}

/** The places for setting up, and for looking things up later. */
export const SET_UP: readonly MenuGroup[] = [
  {
    label: 'menu.markerGroup',
    icon: 'scan',
    items: [
      { path: '/app/marker-code', label: 'menu.markers', right: 'see' },
      { path: '/app/printing-batch', label: 'menu.labels', right: 'seeOffice' },
    ],
  },
  {
    label: 'menu.clients',
    icon: 'box',
    items: [{ path: '/app/client', label: 'menu.clients', right: 'see', feature: 'CLIENT' }],
  },
  {
    label: 'menu.site',
    icon: 'board',
    items: [
      { path: '/app/gate', label: 'menu.gates', right: 'see' },
      { path: '/app/scanner', label: 'menu.scanners', right: 'seeDevices' },
      { path: '/app/local-manager', label: 'menu.localManagers', right: 'seeDevices' },
      { path: '/app/agent', label: 'menu.agents', right: 'seeDevices' },
      { path: '/app/calibration', label: 'menu.calibration', right: 'seeOffice' },
      { path: '/app/settings', label: 'menu.settings', right: 'see' },
    ],
  },
  {
    label: 'menu.people',
    icon: 'users',
    items: [
      { path: '/app/user', label: 'menu.users', right: 'seeUsers' },
      { path: '/app/gate-worker', label: 'menu.workers', right: 'seeUsers' },
      { path: '/app/authority', label: 'menu.authorities', right: 'seeAuthorities' },
      { path: '/app/company-account', label: 'menu.company', right: 'changeSignIn' },
    ],
  },
  {
    label: 'menu.integration',
    icon: 'plug',
    items: [
      { path: '/app/webhook', label: 'menu.webhooks', right: 'seeOffice' },
      { path: '/app/api-key', label: 'menu.keys', right: 'seeOffice' },
      { path: '/app/access-token', label: 'menu.tokens', right: 'seeOffice' },
      { path: '/app/simulation', label: 'menu.simulation', right: 'operate', feature: 'SANDBOX' },
    ],
  },
  {
    label: 'menu.history',
    icon: 'clock',
    items: [
      { path: '/app/audit-log', label: 'menu.audit', right: 'seeOffice' },
      { path: '/app/archive', label: 'menu.archive', right: 'see' },
      { path: '/app/operation', label: 'menu.operations', right: 'seeOffice' },
    ],
  },
];
