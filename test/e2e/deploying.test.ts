import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './service.ts';

const GUIDE = ['first-deployment', 'deploying']
  .map((name) => readFileSync(join(ROOT, `src/web/docs/guides/${name}.md`), 'utf8'))
  .join('\n');
const lines = [...GUIDE.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) =>
  block!.trimEnd().split('\n'),
);
/** The wrangler commands of the guides, without `npx wrangler`. */
const given = lines.flatMap((line) => /npx wrangler (.+)$/.exec(line)?.[1] ?? []);

/** Runs a command without a network, where the machine allows it. */
const ALONE = spawnSync('unshare', ['-rn', 'true']).status === 0 ? ['unshare', '-rn'] : [];
const command = (...args: string[]): [string, string[]] => {
  const [first, ...rest] = [...ALONE, ...args];
  return [first!, rest];
};

describe('the guides on deploying', () => {
  let home: string;
  const run = (args: string[]) =>
    promisify(execFile)(...command(...args), {
      cwd: ROOT,
      env: {
        ...process.env,
        CI: 'true',
        VITEST: '',
        NODE_OPTIONS: '',
        WRANGLER_SEND_METRICS: 'false',
        XDG_CONFIG_HOME: home,
        PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`,
      },
    });
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'dispatch-deploying-'));
  });
  afterAll(() => rmSync(home, { recursive: true }));

  it('the deploying guides contain commands', () => {
    expect([given.length > 7, lines.some((line) => line.startsWith('npm run deploy:setup'))]).toEqual([
      true,
      true,
    ]);
  });

  it.each([...new Set(given)])('wrangler knows the command of the deploying guides: %s', async (text) => {
    const words = text.replaceAll(/"[^"]*"/g, 'x').split(' ');
    const options = words.filter((word) => word.startsWith('--'));
    const first = words.findIndex((word) => word.startsWith('--'));
    const path = (first === -1 ? words : words.slice(0, first)).filter((word) => /^[a-z0-9]+$/.test(word));
    const { stdout } = await run(['wrangler', ...path, '--help']);
    // For an unknown command, wrangler prints the help of the parent command.
    expect(stdout.trimStart().split('\n')[0]).toContain(`wrangler ${path.join(' ')}`);
    for (const option of options) expect(stdout).toContain(option);
  });

  it('deploy:setup shows its plan without any network', async () => {
    const [dry] = lines.filter((line) => line.includes('--dry-run'));
    const args = dry!.replace('npm run deploy:setup -- ', '').split(' ');
    const { stdout } = await run([process.execPath, 'src/cli/deploy-setup.ts', ...args]);
    expect(stdout).toContain('npx wrangler d1 create warehouse-dispatch-staging --location weur\n');
    expect(stdout).toContain('npx wrangler queues create warehouse-dispatch-webhook-dead-staging\n');
  });

  it.each(['staging', 'production'])('a dry run deploys %s without any network', async (env) => {
    const { stdout } = await run(['wrangler', 'deploy', '--dry-run', '--outdir', home, '--env', env]);
    for (const binding of ['WRITER', 'DB', 'CALIBRATION', 'PUBLIC_BY_ADDRESS', 'PUBLIC_BY_LINK', 'ASSETS']) {
      expect(stdout).toContain(`env.${binding} `);
    }
    expect(stdout).toContain('--dry-run: exiting now');
  });
});
