import type { AppContext } from '../../core/http/types.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import { fold } from '../../core/lib/text.ts';
import { preparePassword } from './rules.ts';

/** The file of the most common passwords, one per line, generated when assets are built. */
export const COMMON_PASSWORDS_PATH = '/assets/user/common-passwords.txt';

/** A password needs at least this many different characters: not `aaaaaaaa` or `12121212`. */
const DIFFERENT_MINIMUM = 3;

let common: Promise<ReadonlySet<string>> | undefined;

/** The most common passwords, folded. Read once per isolate, and again after a failure. */
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

/** The letters of a text, without the digits and signs that people add. */
const lettersOf = (text: string): string => fold(text).replace(/\P{L}+/gu, '');

/**
 * Why a password is too easy to guess; undefined if it is not. `own` are known texts about its owner: names, e-mail
 * address, organization. Each of these texts, and each of their words, is refused as a password, with any digits and
 * signs around it.
 */
export function weakness(
  password: string,
  own: readonly string[],
  listed: ReadonlySet<string>,
): string | undefined {
  const folded = fold(preparePassword(password));
  if (listed.has(folded)) return 'This is one of the most common passwords. Choose another one.';
  if (new Set(folded).size < DIFFERENT_MINIMUM) return 'Use a larger number of different characters.';
  const words = own.flatMap((text) => [text, ...text.split('@'), ...text.split(/\P{L}+/u)]).map(lettersOf);
  const letters = lettersOf(password);
  if (letters !== '' && words.includes(letters)) {
    return 'Do not use only your name, your e-mail address or the name of the organization.';
  }
  return undefined;
}

/**
 * Refuse a new password that is common or derived from known texts about its owner. A sign-in does not check existing
 * passwords. @throws 400 `validationFailed` at `password`, without the password
 */
export async function refuseWeak(c: AppContext, password: string, own: readonly string[]): Promise<void> {
  const message = weakness(password, own, await commonPasswords(c));
  if (message === undefined) return;
  const errors = [{ field: 'password', code: 'validationFailed' as const, message }];
  throw new ProblemError(refusal('validationFailed', message, { errors }));
}
