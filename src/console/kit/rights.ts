import type { OperatorScope } from '../../credential/schema.ts';
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
  | 'changeSite'
  | 'changeSignIn'
  | 'changeKeys'
  | 'changeSettings';

/** What an operator of the service may do in the pages of operators: what takes a scope of the operator API. */
export type OperatorRight = `operator:${OperatorScope}`;

const SCOPES: Record<OperatorRight, OperatorScope> = {
  'operator:READ': 'READ',
  'operator:PROVISION': 'PROVISION',
  'operator:OPERATE': 'OPERATE',
  'operator:TRANSFER': 'TRANSFER',
  'operator:ERASE': 'ERASE',
};

/** The scope that a right of operators takes. */
export const scopeOf = (right: OperatorRight): OperatorScope => SCOPES[right];

/** Whether a right is one of operators. */
export const isOperatorRight = (right: string): right is OperatorRight => Object.hasOwn(SCOPES, right);

type Held = (permission: Permission) => boolean;
type Rule = (held: Held) => boolean;

/** Some permissions let people look on only, so that a change always takes one of these, too. */
const worksInApp: Rule = (held) => held('APP_LOGIN') || held('FORKLIFT_APP_LOGIN');
const signsIn: Rule = (held) => worksInApp(held) || held('BACKOFFICE_LOGIN') || held('OPERATIONAL_APP_LOGIN');

const everything: Rule = (held) => PERMISSIONS.every(held);

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
  /** Gates, scanners, local managers, agents, and the access tokens by which devices call. */
  changeSite: (held) => held('AGENT_MANAGEMENT_READ') && held('BACKOFFICE_LOGIN') && held('APP_LOGIN'),
  /** Who says where people sign in could sign in as anybody. */
  changeSignIn: everything,
  /** An API key does whatever anybody may, making users among it. */
  changeKeys: everything,
  /** What all of the organization work by. */
  changeSettings: everything,
};

/** Whether permissions give a right. */
export function may(permissions: readonly Permission[], right: Right): boolean {
  return RIGHTS[right]((permission) => permissions.includes(permission));
}
