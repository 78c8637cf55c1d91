import { setFlash } from '../../../access/session/request.ts';
import { inTurn } from '../../../core/http/permit.ts';
import { refuse, type Submission } from '../../../core/http/write.ts';
import { ProblemError, refusalStatus } from '../../../core/lib/problem.ts';
import type { Action, ActionContext, ActionResult, PageContext } from '../confirm/action.ts';
import {
  type Confirmation,
  confirmationView,
  isUnconfirmed,
  wasChangedByOthers,
} from '../confirm/confirmation.tsx';
import { typedQuery, unsecret } from '../form/read-form.ts';
import { WAITS } from '../form/tablet-form.ts';
import { inWords } from '../parts/language.ts';
import { data, redirect, show, wantsJson } from './answer.tsx';
import { type PageRequest, zoneOf } from './page-request.ts';
import { type Posted, readPosted } from './posted.ts';

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
