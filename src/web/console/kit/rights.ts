import type { OperatorScope } from '../../../access/credential/schema.ts';
import type { Permission } from '../../../access/user/rules.ts';
import { PERMISSIONS } from '../../../access/user/table.ts';

/** The rights of users in the operations pages. */
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
  | 'changeSite'
  | 'changeSignIn'
  | 'changeKeys'
  | 'changeSettings';

/** The rights of operators in their pages, each a scope of the operator API. */
export type OperatorRight = `operator:${OperatorScope}`;

const SCOPES: Record<OperatorRight, OperatorScope> = {
  'operator:READ': 'READ',
  'operator:PROVISION': 'PROVISION',
  'operator:OPERATE': 'OPERATE',
  'operator:TRANSFER': 'TRANSFER',
  'operator:ERASE': 'ERASE',
};

/** The scope that a right of operators needs. */
export const scopeOf = (right: OperatorRight): OperatorScope => SCOPES[right];

/** Whether a right is one of operators. */
export const isOperatorRight = (right: string): right is OperatorRight => Object.hasOwn(SCOPES, right);

type Held = (permission: Permission) => boolean;
type Rule = (held: Held) => boolean;

/** Some permissions allow only reading, so that every change needs one of these, too. */
const worksInApp: Rule = (held) => held('APP_LOGIN') || held('FORKLIFT_APP_LOGIN');
const signsIn: Rule = (held) => worksInApp(held) || held('BACKOFFICE_LOGIN') || held('OPERATIONAL_APP_LOGIN');

const everything: Rule = (held) => PERMISSIONS.every(held);

/** Which permissions of the user's authority give which right. There is no other such table. */
const RIGHTS: Record<Right, Rule> = {
  signIn: signsIn,
  /** See dashboard, board, gates, manifests, shipments, tracks, marker codes, clients and alerts. */
  see: signsIn,
  /** Mark, flag and comment pallets, resolve alerts. */
  mark: worksInApp,
  /** Change gates, statuses, assets and fields of manifests and shipments; retire tracks and revert that. */
  operate: (held) => held('APP_LOGIN') && held('OPERATIONAL_APP_LOGIN'),
  /** See audit log, webhooks, printing batches, calibration files and operations. */
  seeOffice: (held) => held('BACKOFFICE_LOGIN'),
  /** Change those, and clients. */
  changeOffice: (held) => held('BACKOFFICE_LOGIN') && held('APP_LOGIN'),
  seeUsers: (held) => held('USER_MANAGEMENT_READ'),
  changeUsers: (held) => held('USER_MANAGEMENT_READ') && held('USER_MANAGEMENT_WRITE') && worksInApp(held),
  seeAuthorities: (held) => held('ROLE_MANAGEMENT'),
  changeAuthorities: (held) => held('ROLE_MANAGEMENT') && worksInApp(held),
  /** See scanners, local managers and agents. */
  seeDevices: (held) => held('AGENT_MANAGEMENT_READ'),
  /** Change gates, scanners, local managers, agents, and the access tokens of devices. */
  changeSite: (held) => held('AGENT_MANAGEMENT_READ') && held('BACKOFFICE_LOGIN') && held('APP_LOGIN'),
  /** Whoever configures the company's sign-in could sign in as anybody. */
  changeSignIn: everything,
  /** An API key may do whatever a user may, including creating users. */
  changeKeys: everything,
  /** Settings of the whole organization. */
  changeSettings: everything,
};

/** Whether permissions give a right. */
export function may(permissions: readonly Permission[], right: Right): boolean {
  return RIGHTS[right]((permission) => permissions.includes(permission));
}
