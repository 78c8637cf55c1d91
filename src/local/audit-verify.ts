/**
 * `npm run audit:verify`: walks an organization's audit log through the API and verifies that each record is what was
 * committed, that it follows the one before, and that none is missing. Prints the last one as an anchor.
 * `-- --base URL`: the service (default BASE_URL, or PORT (default 8787) on 127.0.0.1).
 * `-- --anchor NUMBER:HASH`: verifies from this record on, which an earlier run printed: the only way to notice that a
 * log was cut off at its end, or written anew as a whole.
 * `-- --operator`: the log of what operators do to no organization in particular.
 * Environment: API_KEY of the organization; OPERATOR_KEY with --operator.
 * Exits with 0 where all is as it was committed, 1 where not (naming the first record), 2 where it cannot be told.
 */
import { parseArgs } from 'node:util';
import { formatAnchor, parseAnchor, type ShownRecord, type Verdict, verifyLog } from './audit-chain.ts';
import { ApiClient } from './demo-client.ts';
import { say } from './demo-output.ts';
import { API, OPERATOR_API } from './demo-provision.ts';

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    anchor: { type: 'string' },
    operator: { type: 'boolean', default: false },
  },
});

async function run(): Promise<Verdict> {
  const anchor = values.anchor === undefined ? undefined : parseAnchor(values.anchor);
  if (values.anchor !== undefined && !anchor)
    throw new Error('--anchor takes NUMBER:HASH, as it was printed.');
  const name = values.operator ? 'OPERATOR_KEY' : 'API_KEY';
  const key = process.env[name];
  if (!key) throw new Error(`Set ${name} in the environment.`);
  const base = values.base ?? process.env['BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '8787'}`;
  const client = new ApiClient(base.replace(/\/+$/, ''), {
    [values.operator ? 'X-OPERATOR-KEY' : 'X-AUTH-KEY']: key,
  });
  const order = 'sort.sortBy=sequenceNumber&sort.direction=ASC&pageSize=100';
  const from = anchor ? `&sequenceNumberFrom=${anchor.sequenceNumber}` : '';
  const path = `${values.operator ? OPERATOR_API : API}/audit-log?${order}${from}`;
  return verifyLog(client.walk<ShownRecord>(path), anchor);
}

function tell({ verified, head, fault }: Verdict): void {
  const last = head === undefined ? '' : `, the last of which is ${formatAnchor(head)}`;
  if (fault) {
    say(`Record ${fault.sequenceNumber} is not as it was committed: ${fault.what}.`);
    say(`Before it, ${verified} records are as they were committed${last}.`);
    process.exitCode = 1;
    return;
  }
  say(`${verified} records are as they were committed${last}.`);
  if (head) {
    say('Keep this where nobody can change it who can change the log. Hold the log against it with');
    say(`  npm run audit:verify -- --anchor ${formatAnchor(head)}`);
  }
}

try {
  tell(await run());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
