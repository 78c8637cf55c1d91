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
import { ApiClient } from '../kit/client.ts';
import { formatAnchor, parseAnchor, type ShownRecord, type Verdict, verifyLog } from './audit-chain.ts';
import { commandLine, serviceOrigin } from './command-line.ts';
import { say } from './demo-output.ts';
import { API, OPERATOR_API } from './demo-provision.ts';

const OPTIONS = {
  base: { type: 'string' },
  anchor: { type: 'string' },
  operator: { type: 'boolean', default: false },
} as const;

async function run(): Promise<number> {
  const { base, anchor: given, operator } = commandLine(import.meta.filename, { options: OPTIONS }).values;
  const anchor = given === undefined ? undefined : parseAnchor(given);
  if (given !== undefined && !anchor) throw new Error('--anchor takes NUMBER:HASH, as it was printed.');
  const [name, header, log] = operator
    ? ['OPERATOR_KEY', 'X-OPERATOR-KEY', OPERATOR_API]
    : ['API_KEY', 'X-AUTH-KEY', API];
  const key = process.env[name];
  if (!key) throw new Error(`Set ${name} in the environment.`);
  const client = new ApiClient(serviceOrigin(base), { [header]: key });
  const from = anchor ? `&sequenceNumberFrom=${anchor.sequenceNumber}` : '';
  const path = `${log}/audit-log?sort.sortBy=sequenceNumber&sort.direction=ASC&pageSize=100${from}`;
  const verdict = await verifyLog(client.walk<ShownRecord>(path), anchor);
  if (!verdict.fault && !verdict.head && !operator) {
    // Whoever asks has a key, and that it was issued is a record.
    verdict.fault = { sequenceNumber: 1, what: 'it is not there, and no other is' };
  }
  return tell(verdict, `${base === undefined ? '' : ` --base ${base}`}${operator ? ' --operator' : ''}`);
}

/** Say what was found; the exit code. */
function tell({ verified, head, fault, gaps }: Verdict, options: string): number {
  const last = head ? `, up to record ${head.sequenceNumber}` : '';
  const count = `${verified} ${verified === 1 ? 'record is' : 'records are'} what was committed${last}.`;
  for (const { from, to } of gaps) {
    say(
      `Numbers ${from} to ${to} have no record: the store was put back to an earlier state, as record ${to + 1} declares.`,
    );
  }
  if (fault) {
    say(`Record ${fault.sequenceNumber} is not what was committed: ${fault.what}.`);
    say(`Before it ${count}`);
    return 1;
  }
  say(count);
  if (head) {
    say('Keep its hash where nobody can reach it who can reach the log; later, hold the log against it with');
    say(`  npm run audit:verify --${options} --anchor ${formatAnchor(head)}`);
  }
  return 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
