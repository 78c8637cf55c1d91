import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';
import { ROOT } from '../service.ts';

/** The minified script of axe-core. */
const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');

/**
 * One debugger session for each page. Closing a session would also undo settings that a test has made through another
 * one.
 */
const sessions = new WeakMap<Page, CDPSession>();

/** The rules that axe applies. */
export type Rules = Pick<axe.RunOptions, 'rules' | 'runOnly'>;

/** The only rule that depends on colours. It takes about as long as all others. */
export const CONTRAST: Rules = { runOnly: ['color-contrast'] };
/** All rules but the one for contrast, for pages that another test reads in the same colours. */
export const WITHOUT_CONTRAST: Rules = { rules: { 'color-contrast': { enabled: false } } };

/**
 * Returns the serious and critical faults that axe-core finds on a page, one line each. It applies all rules or the
 * given ones.
 */
export async function accessibilityFaults(page: Page, rules: Rules = {}): Promise<string[]> {
  // The policy of the pages allows no foreign scripts, so the debugger runs axe. With `page.evaluate`, this would
  // take twice as long, because a script would evaluate it as text.
  if (!(await page.evaluate('"axe" in globalThis'))) {
    const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
    sessions.set(page, session);
    await session.send('Runtime.evaluate', { expression: AXE });
  }
  const options = { resultTypes: ['violations'], ...rules };
  // The full result of axe is large, so only the faults leave the page.
  return page.evaluate(async (chosen) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe was added to the page above
    const { violations } = (await (globalThis as any).axe.run(chosen)) as axe.AxeResults;
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, options);
}
