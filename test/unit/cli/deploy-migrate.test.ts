import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const COUNT = Number(process.env['MIGRATED'] ?? 50);
/** How long an import takes. */
const IMPORT_MS = Number(process.env['IMPORT_MS'] ?? 100);
const AT_ONCE = 20;
/** A fake wrangler. Files contain the applied databases, and the begin and end of each import. The first imports wait for each other. */
const WRANGLER = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const home = process.env.FAKE_HOME;
const [, , name] = process.argv.slice(2);
const fails = (process.env.FAKE_FAILS ?? '').split(',').includes(name);
if (process.argv.includes('--command')) {
  const results = existsSync(home + '/' + name) ? [{ name: '0001_one.sql' }] : [];
  console.log(JSON.stringify([{ results }]));
} else {
  appendFileSync(home + '/imports', 'begin\\n');
  const waiting = setInterval(() => {
    if (readFileSync(home + '/imports', 'utf8').split('begin').length <= Number(process.env.FAKE_TOGETHER)) return;
    clearInterval(waiting);
    setTimeout(() => {
      appendFileSync(home + '/imports', 'end\\n');
      if (fails) { console.error('the cause'); process.exit(1); }
      writeFileSync(home + '/' + name, '');
    }, ${IMPORT_MS});
  }, 10);
}
`;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'dispatch-many-'));
  mkdirSync(join(home, 'migrations'));
  writeFileSync(join(home, 'migrations/0001_one.sql'), 'CREATE TABLE counted (number INTEGER);');
  const databases = Array.from(
    { length: COUNT },
    (_, index) => `[[env.many.d1_databases]]
binding = "DB_${index + 1}"
database_name = "many-${index}"
database_id = "10000000-0000-4000-8000-${String(index).padStart(12, '0')}"
`,
  );
  writeFileSync(join(home, 'wrangler.toml'), databases.join('\n'));
  writeFileSync(join(home, 'wrangler'), WRANGLER);
  chmodSync(join(home, 'wrangler'), 0o755);
});
afterEach(() => rmSync(home, { recursive: true }));

/** `together`: how many imports wait for each other. */
async function migrate(fails: readonly string[], together: number) {
  const program = join(ROOT, 'src/cli/deploy-migrate.ts');
  const began = performance.now();
  const child = spawn(process.execPath, [program, '--config', join(home, 'wrangler.toml'), 'many'], {
    env: {
      ...process.env,
      FAKE_HOME: home,
      FAKE_FAILS: fails.join(),
      FAKE_TOGETHER: String(together),
      TMPDIR: home,
      PATH: `${home}${delimiter}${process.env['PATH']}`,
    },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  const code = await new Promise((ended) => child.on('close', ended));
  return { code, stdout, stderr, seconds: (performance.now() - began) / 1_000 };
}

/** The highest number of imports that ran at the same time. */
function importsAtOnce(): number {
  const lines = readFileSync(join(home, 'imports'), 'utf8').trimEnd().split('\n');
  let [running, highest] = [0, 0];
  for (const line of lines) {
    running += line === 'begin' ? 1 : -1;
    highest = Math.max(highest, running);
  }
  return highest;
}

it('deploy:migrate works on 20 databases at once, continues after failures, and lists what is left', async () => {
  const failing = ['many-3', 'many-44'];
  const first = await migrate(failing, AT_ONCE);
  if (process.env['IMPORT_MS'])
    process.stderr.write(`${COUNT} databases took ${first.seconds.toFixed(1)} s\n`);
  expect(first.code).toBe(1);
  expect(first.stdout.match(/^# many-\d+: applied: 0001_one\.sql$/gm)).toHaveLength(COUNT - failing.length);
  for (const name of failing) {
    expect(first.stderr).toContain(`The import into ${name} failed. Wrangler reports:\nthe cause`);
    expect(first.stderr).toContain(`${name}: applied: none\n${name}: not applied: 0001_one.sql\n`);
  }
  expect(first.stderr).toContain(`2 of ${COUNT} databases are left.`);
  expect(importsAtOnce()).toBe(AT_ONCE);
  rmSync(join(home, 'imports'));
  const second = await migrate([], failing.length);
  expect([second.code, second.stderr]).toEqual([0, '']);
  expect(second.stdout.match(/: no migration is missing$/gm)).toHaveLength(COUNT - failing.length);
  expect(readFileSync(join(home, 'imports'), 'utf8')).toBe('begin\nbegin\nend\nend\n');
  expect(existsSync(join(home, 'many-44'))).toBe(true);
}, 120_000);
