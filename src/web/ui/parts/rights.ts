import type { OperatorScope } from '../../../access/credential/schema.ts';
import type { Permission } from '../../../access/user/rules.ts';
import { PERMISSIONS } from '../../../access/user/table.ts';

/** The rights of users in the operations pages. */
export type Right =
  | 'signIn'
  | 'see'
  | 'mark'
  | 'load'
  | 'operate'
  | 'seeOffice'
  | 'changeOffice'
  | 'seeUsers'
  | 'changeUsers'
  | 'seeAuthorities'
  | 'changeAuthorities'
  | 'seeDevices'
  | 'changeSite'
  | 'changeSignIn'
  | 'changeKeys'
  | 'changeSettings';

/** The rights of operators in their pages. Each is a scope of the operator API. */
export type OperatorRight = `operator:${OperatorScope}`;

const SCOPES: Record<OperatorRight, OperatorScope> = {
  'operator:READ': 'READ',
  'operator:PROVISION': 'PROVISION',
  'operator:OPERATE': 'OPERATE',
  'operator:TRANSFER': 'TRANSFER',
  'operator:ERASE': 'ERASE',
};

export const scopeOf = (right: OperatorRight): OperatorScope => SCOPES[right];

export const isOperatorRight = (right: string): right is OperatorRight => Object.hasOwn(SCOPES, right);

type Held = (permission: Permission) => boolean;
type Rule = (held: Held) => boolean;

/** Some permissions allow only reading. So every change also needs one of these permissions. */
const worksInApp: Rule = (held) => held('APP_LOGIN') || held('FORKLIFT_APP_LOGIN');
const signsIn: Rule = (held) => worksInApp(held) || held('BACKOFFICE_LOGIN') || held('OPERATIONAL_APP_LOGIN');

const plans: Rule = (held) => held('APP_LOGIN') && held('OPERATIONAL_APP_LOGIN');
const everything: Rule = (held) => PERMISSIONS.every(held);

/**
 * The rights that follow from the permissions of a user's authority. This is the only such table.
 */
const RIGHTS: Record<Right, Rule> = {
  signIn: signsIn,
  /**
   * See reports, board, gates, manifests, shipments, tracks, marker codes, clients and alerts.
   */
  see: signsIn,
  /** Mark, flag and comment pallets; resolve alerts. */
  mark: worksInApp,
  /** At a gate: start and complete work, record arrivals, and open signatures. A tablet can do the same at its gate. */
  load: (held) => held('FORKLIFT_APP_LOGIN') || plans(held),
  /**
   * Change gates, statuses, assets and fields of manifests and shipments; retire tracks and revert
   * a retirement.
   */
  operate: plans,
  /** See audit log, webhooks, printing batches, calibration files and operations. */
  seeOffice: (held) => held('BACKOFFICE_LOGIN'),
  /** Change these, and clients. */
  changeOffice: (held) => held('BACKOFFICE_LOGIN') && held('APP_LOGIN'),
  seeUsers: (held) => held('USER_MANAGEMENT_READ'),
  changeUsers: (held) => held('USER_MANAGEMENT_READ') && held('USER_MANAGEMENT_WRITE') && worksInApp(held),
  seeAuthorities: (held) => held('ROLE_MANAGEMENT'),
  changeAuthorities: (held) => held('ROLE_MANAGEMENT') && worksInApp(held),
  /** See scanners, local managers and agents. */
  seeDevices: (held) => held('AGENT_MANAGEMENT_READ'),
  /** Change gates, scanners, local managers, agents, and the access tokens of devices. */
  changeSite: (held) => held('AGENT_MANAGEMENT_READ') && held('BACKOFFICE_LOGIN') && held('APP_LOGIN'),
  /** A user who configures the company's sign-in could sign in as any other user. */
  changeSignIn: everything,
  /** An API key has the rights of every user. It can also create users. */
  changeKeys: everything,
  /** Change the settings of the whole organization. */
  changeSettings: everything,
};

/** Whether permissions give a right. */
export function may(permissions: readonly Permission[], right: Right): boolean {
  return RIGHTS[right]((permission) => permissions.includes(permission));
}
