/**
 * `npm run export -- UUID`: exports an organization as of one instant, and verifies that the export is complete. A large
 * export arrives in several parts, which become one file.
 * `-- --out FILE`: the file to write (default stdout: `npm run --silent export -- UUID > FILE`).
 * `-- --base URL`: the service (default BASE_URL, or PORT (default 8787) on 127.0.0.1).
 * Environment: OPERATOR_KEY.
 * Exit codes: 0 if the export is complete, 1 if it broke off (then there is no FILE), 2 if it could not begin.
 */
import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import { commandLine } from './command-line.ts';
import { exportFile } from './export-file.ts';
import { main, megabytes, organizationIn, progress, refused, serviceAt, tell } from './operator-shell.ts';

const OPTIONS = { base: { type: 'string' }, out: { type: 'string' } } as const;
async function run(): Promise<number> {
  const { values, positionals } = commandLine(import.meta.filename, {
    options: OPTIONS,
    allowPositionals: true,
  });
  const uuid = organizationIn(positionals);
  const { api, headers } = serviceAt(values.base);
  const url = `${api}/organization/${encodeURIComponent(uuid)}/export`;
  const ask = async (after: string | undefined) => {
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
    const answer = await fetch(`${url}${query}`, { headers, redirect: 'manual' });
    if (answer.status !== 200) throw await refused(answer);
    return answer.body!;
  };
  const first = await ask(undefined);
  const partial = values.out === undefined ? undefined : `${values.out}.part`;
  // The file exists before anything can fail. So it cannot appear after its removal.
  const out = partial === undefined ? process.stdout : (await open(partial, 'w')).createWriteStream();
  const report = progress('exported');
  let total = 0;
  try {
    for await (const bytes of exportFile(async (after) => (after === undefined ? first : ask(after)))) {
      report(bytes.length);
      total += bytes.length;
      if (!out.write(bytes)) await once(out, 'drain');
    }
    if (partial !== undefined) await new Promise<void>((resolve) => out.end(() => resolve()));
  } catch (error) {
    out.destroy();
    if (partial !== undefined) await rm(partial, { force: true });
    tell(`The export broke off: ${String(error)}`);
    return 1;
  }
  if (partial !== undefined) await rename(partial, values.out!);
  tell(`exported ${megabytes(total)}, complete`);
  return 0;
}

await main(run);
