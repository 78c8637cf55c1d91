/**
 * `npm run restore -- UUID`: restores a suspended organization from its latest nightly export, and waits until that has
 * ended. Other organizations are not concerned.
 * `-- --dry-run`: only verify the export, and say what would be lost.
 * `-- --date DATE`: the export of this date (default: the latest one). A wrong date lists the dates that there are.
 * `-- --database NAME`: another database for the restored rows (default: the open one with the most room).
 * `-- --base URL`: the service (default BASE_URL, or PORT (default 8787) on 127.0.0.1).
 * Environment: OPERATOR_KEY.
 * Exit codes: 0 if the organization was restored, or its export verified; 1 if that failed, and nothing was changed; 2 if
 * it was refused or the outcome is unknown.
 */

import { commandLine } from './command-line.ts';
import { finished, main, organizationIn, refused, serviceAt, tell } from './operator-shell.ts';

const OPTIONS = {
  base: { type: 'string' },
  database: { type: 'string' },
  date: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const;

interface Accepted {
  operationId: string;
  exportDate: string;
  sequenceNumber: number;
  lastSequenceNumber: number;
}

async function run(): Promise<number> {
  const { values, positionals } = commandLine(import.meta.filename, {
    options: OPTIONS,
    allowPositionals: true,
  });
  const uuid = organizationIn(positionals);
  const service = serviceAt(values.base);
  const dryRun = values['dry-run'] ?? false;
  const answer = await fetch(`${service.api}/organization/${encodeURIComponent(uuid)}/restore`, {
    method: 'POST',
    headers: { ...service.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ exportDate: values.date, databaseName: values.database, dryRun }),
    redirect: 'manual',
  });
  if (answer.status !== 202) throw await refused(answer);
  const { operationId, exportDate, sequenceNumber, lastSequenceNumber } = (await answer.json()) as Accepted;
  tell(
    `export of ${exportDate}, up to audit record ${sequenceNumber} of ${lastSequenceNumber}: ` +
      `${lastSequenceNumber - sequenceNumber} later records ${dryRun ? 'would be' : 'are'} lost`,
  );
  tell(`accepted as operation ${operationId}`);
  const { status, results } = await finished(service, operationId, 'restore');
  if (status !== 'SUCCEEDED') {
    const [{ error } = { error: null }] = results;
    tell(
      `${dryRun ? 'the export cannot be restored' : 'the restore failed'}: ${error?.code} ${error?.message}`,
    );
    return 1;
  }
  tell(dryRun ? 'the export is complete and unaltered' : `organization ${uuid} is restored. Resume it now.`);
  return 0;
}

await main(run);
