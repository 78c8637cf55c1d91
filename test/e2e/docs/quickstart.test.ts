import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTenant, type Served } from '../client.ts';
import { commandsOf, hasCurl, runBlocks } from '../commands.ts';
import { freePort } from '../ports.ts';
import { ROOT } from '../service.ts';
import { sharedService } from '../shared.ts';
import { Disguise } from './disguise.ts';
import { fileOf, present } from './sample-runs.ts';

const GUIDES = 'src/web/docs/guides';
/** The origin and the port of the receiver in the guide. */
const ORIGIN = 'http://127.0.0.1:8787';
const RECEIVER_PORT = '9000';
/** The time of the first answer in the guide, and the time between two answers. */
const BEGIN = Date.UTC(2026, 10, 21, 8);
const STEP_MS = 30_000;
const DATE = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
/** Values of an answer that differ on every run, and the values that the guide shows. */
const CHANCE = [
  [/sandbox-\d+-\d+/g, 'sandbox-1795248000-4711'],
  [/"databaseName": ?"\w+"/g, '"databaseName":"DB"'],
  // The simulation chooses an unknown marker by the time.
  [/\b900719\d{10}\b/g, '9007198522211210'],
] as const;
const LINE_MAXIMUM = 100;

/**
 * The commands of a guide with their language, if they are for one language, and with the answer directly below. Without
 * one, the guide shows no answer.
 */
const COMMAND = /^( *```sh(?: (\w+))?\n.*?^ *```\n)(?:(\n```json\n)(.*?)(^```$))?/gms;

/** JSON for readers: a value that fits in one line is in one line. */
function legible(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
  if (indent.length + flat.length <= LINE_MAXIMUM || value === null || typeof value !== 'object') return flat;
  const deeper = `${indent}  `;
  const [open, lines, close] = Array.isArray(value)
    ? ['[', value.map((item) => legible(item, deeper)), ']']
    : ['{', Object.entries(value).map(([key, item]) => `"${key}": ${legible(item, deeper)}`), '}'];
  return `${open}\n${lines.map((line) => deeper + line).join(',\n')}\n${indent}${close}`;
}

describe.runIf(hasCurl)('guides with commands and answers', () => {
  let service: Served;
  /** The folder where the commands run and where they leave their files. */
  let home: string;
  beforeAll(async () => {
    service = await sharedService();
    home = mkdtempSync(join(tmpdir(), 'dispatch-quickstart-'));
  });
  afterAll(() => rmSync(home, { recursive: true }));

  /** Runs the commands of a guide for the readers of a language, and compares each answer with the guide. */
  async function play(name: string, language?: string, env: Record<string, string> = {}): Promise<void> {
    const path = `${GUIDES}/${name}.md`;
    const port = String(await freePort());
    const blocks = commandsOf(path, service, language).map((block) => block.replaceAll(RECEIVER_PORT, port));
    const { printed, messages, code } = await runBlocks(blocks, { cwd: home, env });
    // The guide to webhooks waits for its receiver, which refuses unsigned requests.
    const usual = (line: string) => /^2\d\d http:/.test(line) || line.endsWith(` http://127.0.0.1:${port}/`);
    expect(messages.filter((line) => !usual(line))).toEqual([]);
    expect(code).toBe(0);
    const disguise = new Disguise({ [service.origin]: ORIGIN, [`:${port}/`]: `:${RECEIVER_PORT}/` });
    let answersCount = 0;
    const answerOf = (text: string) => {
      const latest = text.match(DATE)?.toSorted().at(-1);
      if (latest) disguise.minute(Date.parse(latest), BEGIN + answersCount * STEP_MS);
      answersCount += 1;
      const same = CHANCE.reduce((changed, [pattern, shown]) => changed.replace(pattern, shown), text);
      return legible(disguise.of(JSON.parse(same)));
    };
    const guide = readFileSync(join(ROOT, path), 'utf8');
    const filled = guide.replace(COMMAND, (_, command, tag = language, open, _shown, close) => {
      if (tag !== language) return command;
      const text = printed.shift()!;
      return open === undefined ? command : `${command}${open}${answerOf(text)}\n${close}`;
    });
    expect(answersCount).toBeGreaterThan(1);
    await expect(filled).toMatchFileSnapshot(join(ROOT, path));
  }

  /** If answers of the service change, run `vitest -u` on this file. Review the difference. */
  it('each command of the quick start prints the answer that the guide shows', () => play('quickstart'));

  it.each(present.filter(({ language }) => language !== 'curl'))(
    'each command of the guide to webhooks prints the answer that the guide shows, with the receiver in $language',
    async (language) => {
      const { key } = await newTenant(service, `guide-webhooks-${language.extension.slice(1)}`, {
        sandbox: true,
      });
      // The reader saves the program of step 2 under this name.
      const program = fileOf('verify-webhook', language);
      copyFileSync(program, join(home, basename(program)));
      await play('webhooks', language.language, { API_KEY: key });
    },
  );
});
