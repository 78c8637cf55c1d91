import { lacking } from '../../../access/credential/operator.ts';
import type { FoundSession } from '../../../access/session/store.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';
import { callerOf } from '../../../dispatch/tablet/request.ts';
import { DESK_LANGUAGES, type Language } from '../../../messages/languages.ts';
import { choosePageLanguage } from '../parts/language.ts';
import { isOperatorRight, may, type OperatorRight, type Right, scopeOf } from '../parts/rights.ts';
import { failure, redirect, toSignIn } from './answer.tsx';
import { hasFeature } from './menu.tsx';
import { admitOperator, operatorMay, refuseOwnHost, signedInOperator } from './operator.ts';
import { OPERATOR_HOME } from './operator-menu.tsx';

/** The admission rules that a page declares. */
interface Admission {
  right: Right | OperatorRight | 'guest';
  feature?: 'SHIPMENT' | 'CLIENT';
  languages?: readonly Language[];
  beforePasswordChange?: boolean;
  /** Checks the request of a tablet. A page without it is not open to tablets. */
  tablet?: unknown;
}

/** Check a request and answer it with a page. A refusal or a failure is a page, too. */
export async function answerPage(
  context: unknown,
  declared: Admission,
  answer: (c: AppContext, session: FoundSession | null) => Promise<Response>,
): Promise<Response> {
  const c = context as AppContext;
  const { right, languages } = declared;
  const isOfDesk = right !== 'guest' && !isOperatorRight(right);
  await choosePageLanguage(c, languages ?? (isOfDesk ? DESK_LANGUAGES : []));
  let session: FoundSession | null = null;
  try {
    refuseOwnHost(c);
    if (right === 'guest') return await answer(c, null);
    if (isOperatorRight(right)) {
      const operator = await signedInOperator(c);
      if (!operator) return redirect(c, `${OPERATOR_HOME}/login`);
      admitOperator(c, operator, right);
      return await answer(c, null);
    }
    session = (await callerOf(c)) ?? null;
    if (session === null) return toSignIn(c);
    const gate = session.tablet && `/app/gate/${session.tablet.gateUuid}`;
    if (gate && !(declared.tablet && isAt(gate, c))) {
      return c.req.method === 'GET' ? redirect(c, gate) : refuse('permissionRequired', ONLY_AT_GATE);
    }
    admit(c, session, right, declared.feature);
    if (session.user.passwordChangeRequired && !declared.beforePasswordChange) {
      return redirect(c, '/app/password');
    }
    return await answer(c, session);
  } catch (error) {
    return failure(c, session?.tablet ? null : session, error);
  }
}

const ONLY_AT_GATE = 'This tablet belongs to one gate and can open only the page of that gate.';

/** Whether a request is for a page below the path of a gate. */
const isAt = (gate: string, c: AppContext): boolean => `${c.req.path.toLowerCase()}/`.startsWith(`${gate}/`);

/** @throws 403 if the user lacks the right, or the organization lacks the feature of the page */
function admit(c: AppContext, session: FoundSession, right: Right, feature: Admission['feature']): void {
  const { uuid, firstName, lastName, permissions } = session.user;
  c.set('principal', {
    organization: session.organization,
    actor: session.tablet
      ? { actorType: 'TABLET', uuid, displayName: session.tablet.name }
      : { actorType: 'USER', uuid, displayName: `${firstName} ${lastName}` },
  });
  if (!may(permissions, right)) refuse('permissionRequired', 'Your authority does not allow this.');
  if (feature === undefined || hasFeature(session, feature)) return;
  if (feature === 'SHIPMENT')
    refuse('shipmentStrategyRequired', 'The organization does not dispatch by shipment.');
  refuse('clientFeatureRequired', 'The organization does not use clients.');
}

/** Whether the signed-in user has a right. */
export const mayDo = (c: AppContext, session: FoundSession | null, right: Right | OperatorRight): boolean =>
  isOperatorRight(right) ? operatorMay(c, right) : session !== null && may(session.user.permissions, right);

/**
 * Refuse a form, because the user lacks its right.
 * @throws always
 */
export function refuseRight(right: Right | OperatorRight): never {
  if (isOperatorRight(right)) throw lacking(scopeOf(right));
  return refuse('permissionRequired', 'Your authority does not allow this.');
}

/**
 * The owner of a form's idempotency key. The same key of another user, or of the API, is another key.
 * Undefined for guests.
 */
export function formOwnerOf(c: AppContext, session: FoundSession | null): string | undefined {
  const actor = c.get('signedIn')?.actor;
  return session?.user.uuid ?? (actor && `operator ${actor.uuid ?? ''}`);
}
