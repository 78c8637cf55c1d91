import type { AppContext } from '../http/types.ts';
import { ProblemError, refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';
import { preparePassword } from './rules.ts';

/** Where the most common passwords are, one a line, as the build of assets puts them there. */
export const COMMON_PASSWORDS_PATH = '/assets/user/common-passwords.txt';

/** Fewer different characters are no password: `aaaaaaaa`, `12121212`. */
const DIFFERENT_MINIMUM = 3;

let common: Promise<ReadonlySet<string>> | undefined;

/** The most common passwords, folded; asked for once an isolate, and again after a failure. */
function commonPasswords(c: AppContext): Promise<ReadonlySet<string>> {
  common ??= readCommon(c).catch((error) => {
    common = undefined;
    throw error;
  });
  return common;
}

async function readCommon(c: AppContext): Promise<ReadonlySet<string>> {
  const answer = await c.env.ASSETS.fetch(new URL(COMMON_PASSWORDS_PATH, c.req.url));
  if (!answer.ok) throw new Error(`the list of common passwords was answered ${answer.status}`);
  return new Set((await answer.text()).split('\n'));
}

/** What is left of a text without anything but letters: what digits and signs are put around. */
const lettersOf = (text: string): string => fold(text).replace(/\P{L}+/gu, '');

/**
 * Why a password is one of the first that anybody would try, or undefined. `own` is what is known of who it is for: names,
 * e-mail address, organization. Each
 * of these, and each of their words, is refused alone, whatever digits and signs stand around it.
 */
export function weakness(
  password: string,
  own: readonly string[],
  listed: ReadonlySet<string>,
): string | undefined {
  const folded = fold(preparePassword(password));
  if (listed.has(folded)) return 'This is one of the most common passwords. Choose another one.';
  if (new Set(folded).size < DIFFERENT_MINIMUM) return 'A password has more different characters.';
  const words = own.flatMap((text) => [text, ...text.split('@'), ...text.split(/\P{L}+/u)]).map(lettersOf);
  const letters = lettersOf(password);
  if (letters !== '' && words.includes(letters)) {
    return 'A password is more than your name, your e-mail address or the name of the organization.';
  }
  return undefined;
}

/**
 * Refuse a new password that is common, or made of what is known of who it is for. Not asked of a password that signs in: those
 * that are there go on working.
 * @throws 400 `validationFailed` at `password`, without the password
 */
export async function refuseWeak(c: AppContext, password: string, own: readonly string[]): Promise<void> {
  const message = weakness(password, own, await commonPasswords(c));
  if (message === undefined) return;
  const errors = [{ field: 'password', code: 'validationFailed' as const, message }];
  throw new ProblemError(refusal('validationFailed', message, { errors }));
}
