import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';
import { ROOT } from '../service.ts';

/** The script of axe-core, in its shorter form. */
const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** A session of the debugger for each page that axe looks at: the end of one would end what a test has set up by another. */
const sessions = new WeakMap<Page, CDPSession>();

/** What axe-core finds serious or critical on a page, by all of its rules or by these, one line each. */
export async function accessibilityFaults(page: Page, rules: string[] = []): Promise<string[]> {
  // The policy of the pages runs no script of others, so it is put in by the debugger, as a script: `page.evaluate`
  // would have it as a text that a script evaluates, which takes twice as long.
  if (!(await page.evaluate('"axe" in globalThis'))) {
    const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
    sessions.set(page, session);
    await session.send('Runtime.evaluate', { expression: AXE });
  }
  const options = { resultTypes: ['violations'], ...(rules.length > 0 ? { runOnly: rules } : {}) };
  // What it says of every element would be as much again to send and to read as to find.
  return page.evaluate(async (chosen) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe is what the line above has put there
    const { violations } = (await (globalThis as any).axe.run(chosen)) as axe.AxeResults;
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, options);
}
