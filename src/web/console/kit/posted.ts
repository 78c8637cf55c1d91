import { z } from '@hono/zod-openapi';
import { checkForm } from '../../../access/session/request.ts';
import type { FoundSession } from '../../../access/session/store.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';
import { formOwnerOf } from './admission.ts';
import { formOf } from './answer.tsx';
import { reasonOf } from './confirmation.tsx';
import { madeDateOf, readForm, wasKept } from './read-form.ts';
import type { Typed } from './view.ts';

/** A form that was sent to a page. */
export interface Posted {
  /** The name of its action. */
  name: string;
  /** The input, without what the page itself added to the form. */
  typed: Typed;
  /** The key that the form had, and with its owner, as the writer knows it; null for a guest's. */
  formKey: string | undefined;
  key: string | null;
  /** The digest of the question that the user has agreed to, if any. */
  confirmed: string | undefined;
  /** The reason that was given with the answer; '' for none. */
  reason: string;
  /** The turn at a tablet in which it was made. */
  turn: string | undefined;
  /** When it was made, as its device says; epoch milliseconds. */
  madeDate: number | undefined;
  /** The same for a form that was kept on its device or taken over by somebody else; for the audit records. */
  keptDate: number | undefined;
}

/** Length of a form's key in characters. */
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
  const { own, typed } = await readForm(c, bytesMaximum);
  checkForm(c, own.token, formOf(c, session));
  checkOwner(own.owner, session);
  const formKey = own.key?.slice(0, KEY_LENGTH);
  const maker = userOf(own.madeBy);
  const keyOwner = (own.owner !== undefined && maker) || formOwnerOf(c, session);
  const now = Date.now();
  const madeDate = madeDateOf(own.keptDate, now);
  return {
    name: own.action ?? 'default',
    typed,
    formKey,
    key: keyOwner && formKey ? `${keyOwner} ${formKey}` : null,
    confirmed: own.confirmed,
    reason: reasonOf(own.why, own.whyNote),
    turn: own.turn,
    madeDate,
    keptDate: maker !== undefined || wasKept(madeDate, now) ? madeDate : undefined,
  };
}

/** A form that waited on a device belongs to the user who made it, whoever is signed in there now. */
function checkOwner(owner: string | undefined, session: FoundSession | null): void {
  if (owner !== undefined && owner !== session?.user.uuid) {
    refuse('formExpired', 'Somebody else has done this, who is not signed in here now.');
  }
}

/**
 * Who made a form that somebody else has taken over. Its key belongs to them, as they may have sent it already. Keys
 * outlive a session, as forms that wait on a device do.
 */
const userOf = (madeBy: string | undefined): string | undefined => z.uuid().safeParse(madeBy).data;
