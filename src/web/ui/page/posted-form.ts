import { z } from '@hono/zod-openapi';
import { checkForm, setFlash } from '../../../access/session/request.ts';
import type { FoundSession } from '../../../access/session/store.ts';
import { inTurn } from '../../../core/http/permit.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { refuse, type Submission } from '../../../core/http/write.ts';
import { ProblemError, refusalStatus } from '../../../core/lib/problem.ts';
import type { Action, ActionContext, ActionResult, PageContext } from '../confirm/action.ts';
import {
  type AskedWhy,
  type Confirmation,
  confirmationView,
  isUnconfirmed,
  reasonOf,
  wasChangedByOthers,
} from '../confirm/confirmation.tsx';
import { type Files, madeDateOf, readForm, typedQuery, unsecret, wasKept } from '../form/read-form.ts';
import { WAITS } from '../form/tablet-form.ts';
import { inWords, pageWords, refuseInWords } from '../parts/language.ts';
import type { Typed } from '../parts/view.ts';
import { formOwnerOf } from './admission.ts';
import { data, formOf, redirect, show, wantsJson } from './answer.tsx';
import { type PageRequest, zoneOf } from './page-request.ts';

/** A form that was sent to a page. */
interface Posted {
  /** The name of its action. */
  name: string;
  /** The input, without the fields that the page itself added to the form. */
  typed: Typed;
  /** The chosen files. */
  files: Files;
  /**
   * The idempotency key in the form, and the same key with its owner for the writer. `key` is null for guests.
   */
  formKey: string | undefined;
  key: string | null;
  /** The digest of the question that the user has confirmed, if any. */
  confirmed: string | undefined;
  /** Whether the user has changed a choice in the question and wants to see it again. */
  isAgain: boolean;
  /** Whether the user returns from the question to the form. */
  isBack: boolean;
  /** The reason from the question; '' without a reason. And its chosen and typed parts. */
  reason: string;
  why: AskedWhy;
  /** The turn at a tablet in which the form was made. */
  turn: string | undefined;
  /** When the form was made, by the clock of its device; epoch milliseconds. */
  madeDate: number | undefined;
  /**
   * The same date, but only for a form that was queued on its device or taken over by another user.
   * The audit records show it.
   */
  keptDate: number | undefined;
}

/** The longest key of a form in characters. */
const KEY_LENGTH = 40;

/**
 * Read the form of a request.
 * @throws 403 for a form of another browser or of another user
 */
async function readPosted(
  c: AppContext,
  session: FoundSession | null,
  bytesMaximum: number | undefined,
): Promise<Posted> {
  const { own, typed, files } = await readForm(c, bytesMaximum);
  checkForm(c, own.token, formOf(c, session));
  checkOwner(c, own.owner, session);
  const formKey = own.key?.slice(0, KEY_LENGTH);
  const maker = userOf(own.madeBy);
  const keyOwner = (own.owner !== undefined && maker) || formOwnerOf(c, session);
  const now = Date.now();
  const madeDate = madeDateOf(own.keptDate, now);
  return {
    name: own.action ?? 'default',
    typed,
    files,
    formKey,
    key: keyOwner && formKey ? `${keyOwner} ${formKey}` : null,
    confirmed: own.confirmed,
    isAgain: own.again !== undefined,
    isBack: own.back !== undefined,
    reason: reasonOf(own.why, own.whyNote),
    why: { chosen: own.why, note: own.whyNote },
    turn: own.turn,
    madeDate,
    keptDate: maker !== undefined || wasKept(madeDate, now) ? madeDate : undefined,
  };
}

/**
 * A form that was queued on a device belongs to the user who made it. Another user who is signed in
 * there must not send it.
 */
function checkOwner(c: AppContext, owner: string | undefined, session: FoundSession | null): void {
  if (owner !== undefined && owner !== session?.user.uuid) {
    refuseInWords('formExpired', pageWords(c).t('kit.otherUser'));
  }
}

/**
 * The user who made a form that another user has taken over. The key keeps its first owner, because
 * that user may have sent the form already. Keys outlive a session, and so do queued forms.
 */
const userOf = (madeBy: string | undefined): string | undefined => z.uuid().safeParse(madeBy).data;

/** Process a form: run its action, or show the page again with the input and the refusal. */
export async function take<P>(page: PageRequest<P>): Promise<Response> {
  const posted = await readPosted(page.c, page.session, page.formBytesMaximum);
  const wanted = page.action(posted.name);
  if (!wanted) return refuse('validationFailed', 'This form does not exist on the page. Reload the page.');
  if (posted.isBack) {
    const typed = { action: posted.name, typed: unsecret(posted.typed) };
    return show(page.c, page.session, await page.view(typedQuery(page.c)), { typed });
  }
  try {
    Object.assign(posted.typed, await page.readFiles(posted.files));
    return await perform(page, wanted, { ...posted, typed: await page.complete(posted.typed) });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return answerRefused(page, posted, error);
  }
}

/** Run an action. If it has a question, the user must have confirmed it. */
async function perform<P>(page: PageRequest<P>, wanted: Action<P>, posted: Posted): Promise<Response> {
  const { name, typed, turn, madeDate } = posted;
  const params = page.params();
  const { form, ask, run } = wanted.parse(typed, zoneOf(page.session));
  const turnDate = await page.checkTablet(params, { name, form, turn, madeDate, isAsked: false });
  const question = await ask?.(page.at, params);
  if (question && (posted.isAgain || isUnconfirmed(question, posted.confirmed))) {
    return inTurn(page.c, () => answerQuestion(page, posted, question));
  }
  const submission: Submission = {
    key: posted.key,
    payload: unsecret({ action: name, ...typed }),
    ...(question ? { reason: posted.reason } : {}),
    keptDate: turnDate ?? posted.keptDate,
  };
  try {
    return await answerDone(page, await run(actionAt(page.at, submission), params));
  } catch (error) {
    if (!(question && error instanceof ProblemError && isAboutFields(question, error))) throw error;
    return answerQuestion(page, posted, question, error);
  }
}

/** Whether a refusal is about an input of the question. The question is then shown again, with the errors. */
function isAboutFields(
  { fields = [], more }: Confirmation,
  { refusal: { errors = [] } }: ProblemError,
): boolean {
  const names = [...fields.map(({ name }) => name), ...(more?.names ?? [])];
  return errors.some(({ field }) => names.includes(field));
}

/**
 * The context of an action. It inherits from the context of its page, so a property is computed
 * only when it is used.
 */
const actionAt = (at: PageContext, submission: Submission): ActionContext =>
  Object.assign(Object.create(at) as PageContext, { submission });

function answerQuestion<P>(
  { c, session, at }: PageRequest<P>,
  posted: Posted,
  question: Confirmation,
  refused?: ProblemError,
): Response {
  const { name, typed, isAgain, confirmed, why } = posted;
  const refusal = refused && inWords(at.words, refused);
  const hasChanged = !refused && !isAgain && wasChangedByOthers(question, confirmed);
  const view = confirmationView(question, name, typed, hasChanged, why);
  const failed = refusal && { action: name, refusal, typed: unsecret(typed), key: undefined };
  return show(c, session, view, { failed }, refusal ? refusalStatus(refusal) : hasChanged ? 409 : 200);
}

async function answerDone<P>({ c, session, view }: PageRequest<P>, done: ActionResult): Promise<Response> {
  if (done instanceof Response) return done;
  if ('secrets' in done || 'became' in done) {
    const { done: flash, ...told } = done;
    return show(c, session, await view(typedQuery(c)), { flash, ...told });
  }
  if (wantsJson(c)) return data(c, { done: done.done, ...done.data });
  setFlash(c, done.done);
  return redirect(c, done.to ?? c.req.path);
}

async function answerRefused<P>(
  { c, session, at, view }: PageRequest<P>,
  { name, typed, formKey }: Posted,
  error: ProblemError,
): Promise<Response> {
  const refused = inWords(at.words, error);
  const status = refusalStatus(refused);
  for (const [header, value] of Object.entries(error.headers)) c.header(header, value);
  if (wantsJson(c)) {
    return data(c, { refused: refused.detail, ...WAITS[refused.code] }, status);
  }
  const again = await view(typedQuery(c));
  // The form may have been processed although the answer was lost. With the same key it takes
  // effect only once.
  const key = status === 503 ? formKey : undefined;
  const failed = { action: name, refusal: refused, typed: unsecret(typed), key };
  return inTurn(c, () => show(c, session, again, { failed }, status));
}
