import type { Permission } from '../../user/rules.ts';
import { PERMISSIONS } from '../../user/table.ts';

/** What somebody may do in the operations pages. */
export type Right =
  | 'signIn'
  | 'see'
  | 'mark'
  | 'operate'
  | 'seeOffice'
  | 'changeOffice'
  | 'seeUsers'
  | 'changeUsers'
  | 'seeAuthorities'
  | 'changeAuthorities'
  | 'seeDevices'
  | 'changeSignIn';

type Held = (permission: Permission) => boolean;
type Rule = (held: Held) => boolean;

/** Some permissions let people look on only, so that a change always takes one of these, too. */
const worksInApp: Rule = (held) => held('APP_LOGIN') || held('FORKLIFT_APP_LOGIN');
const signsIn: Rule = (held) => worksInApp(held) || held('BACKOFFICE_LOGIN') || held('OPERATIONAL_APP_LOGIN');

/** The one table of who may do what, by the permissions of the user's authority. */
const RIGHTS: Record<Right, Rule> = {
  signIn: signsIn,
  /** Dashboard, board, gates, manifests, shipments, tracks, marker codes, clients, alerts. */
  see: signsIn,
  /** Mark a pallet, flag and comment it, resolve an alert. */
  mark: worksInApp,
  /** Gates, statuses, assets and fields of manifests and shipments; retire a track and revert that. */
  operate: (held) => held('APP_LOGIN') && held('OPERATIONAL_APP_LOGIN'),
  /** Audit log, webhooks, printing batches, calibration files, operations. */
  seeOffice: (held) => held('BACKOFFICE_LOGIN'),
  /** Those, and clients. */
  changeOffice: (held) => held('BACKOFFICE_LOGIN') && held('APP_LOGIN'),
  seeUsers: (held) => held('USER_MANAGEMENT_READ'),
  changeUsers: (held) => held('USER_MANAGEMENT_READ') && held('USER_MANAGEMENT_WRITE') && worksInApp(held),
  seeAuthorities: (held) => held('ROLE_MANAGEMENT'),
  changeAuthorities: (held) => held('ROLE_MANAGEMENT') && worksInApp(held),
  /** Scanners, local managers, agents. */
  seeDevices: (held) => held('AGENT_MANAGEMENT_READ'),
  /** Who says where people sign in could sign in as anybody. */
  changeSignIn: (held) => PERMISSIONS.every(held),
};

/** Whether permissions give a right. */
export function may(permissions: readonly Permission[], right: Right): boolean {
  return RIGHTS[right]((permission) => permissions.includes(permission));
}
