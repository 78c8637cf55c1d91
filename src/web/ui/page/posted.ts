import { z } from '@hono/zod-openapi';
import { checkForm } from '../../../access/session/request.ts';
import type { FoundSession } from '../../../access/session/store.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { type AskedWhy, reasonOf } from '../confirm/confirmation.tsx';
import { type Files, madeDateOf, readForm, wasKept } from '../form/read-form.ts';
import { pageWords, refuseInWords } from '../parts/language.ts';
import type { Typed } from '../parts/view.ts';
import { formOwnerOf } from './admission.ts';
import { formOf } from './answer.tsx';

/** A form that was sent to a page. */
export interface Posted {
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
export async function readPosted(
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
