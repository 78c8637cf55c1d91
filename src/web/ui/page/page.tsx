import type { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { AppEnv } from '../../../core/http/types.ts';
import type { Action } from '../confirm/action.ts';
import { CONFIRM, confirmationView } from '../confirm/confirmation.tsx';
import { declareForms } from '../form/limits.ts';
import { typedQuery } from '../form/read-form.ts';
import type { View } from '../parts/view.ts';
import { answerPage } from './admission.ts';
import { show } from './answer.tsx';
import { type Nothing, type Page, type PageRequest, requestOf, zoneOf } from './page-request.ts';
import { take } from './posted-form.ts';

/** The properties of a page that tests check. */
interface DeclaredPage extends Pick<Page, 'path' | 'right' | 'feature' | 'languages'> {
  tablet?: unknown;
  actions?: Readonly<Record<string, Action>>;
}

/** All declared pages. Tests check rules that hold for each of them. */
export const PAGES: DeclaredPage[] = [];

/** Serve a page: GET shows it, POST receives its forms. A refusal is a page, too. */
export function page<P extends z.ZodObject = Nothing, Q extends z.ZodType = Nothing>(
  app: Hono<AppEnv>,
  declared: Page<P, Q>,
): void {
  PAGES.push(declared);
  declareForms(declared);
  app.get(declared.path, (context) =>
    answerPage(context, declared, async (c, session) => {
      const request = requestOf(c, session, declared);
      return show(c, session, (await questionOf(request)) ?? (await request.view(typedQuery(c))), {});
    }),
  );
  if (!declared.actions) return;
  app.post(declared.path, (context) =>
    answerPage(context, declared, (c, session) => take(requestOf(c, session, declared))),
  );
}

/** The question before an action, if the query asks for it. */
async function questionOf<P>({
  c,
  session,
  at,
  params,
  action,
  checkTablet,
}: PageRequest<P>): Promise<View | undefined> {
  const { [CONFIRM]: named, ...typed } = typedQuery(c);
  const name = typeof named === 'string' ? named : '';
  const wanted = action(name);
  if (!wanted?.needsConfirmation) return undefined;
  const inPath = params();
  const { form, ask } = wanted.parse(typed, zoneOf(session));
  await checkTablet(inPath, { name, form, isAsked: true });
  const question = await ask?.(at, inPath);
  return question && confirmationView(question, name, typed);
}
