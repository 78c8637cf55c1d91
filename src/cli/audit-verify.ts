/**
 * `npm run audit:verify`: verifies an organization's audit log through the API. Each record must be unaltered and
 * follow the one before it. No record may be missing. Prints the last record as an anchor.
 * `-- --base URL`: the service (default BASE_URL, or PORT (default 8787) on 127.0.0.1).
 * `-- --anchor NUMBER:HASH`: verifies from this record on. An earlier run printed it. Only an anchor shows that the end
 * of a log was cut off, or that the whole log was rewritten.
 * `-- --operator`: the log of operators' actions that concern no particular organization.
 * Environment: API_KEY of the organization; OPERATOR_KEY with --operator.
 * Exit codes: 0 if no record was altered, 1 if one was (it names the first), 2 if this is unknown.
 */
import { ApiClient } from '../client/client.ts';
import { formatAnchor, parseAnchor, type Verdict, verifyLog } from './audit-chain.ts';
import type { ShownRecord } from './audit-record.ts';
import { commandLine, serviceOrigin } from './command-line.ts';
import { say } from './demo/output.ts';
import { API, OPERATOR_API } from './demo/provision.ts';

const OPTIONS = {
  base: { type: 'string' },
  anchor: { type: 'string' },
  operator: { type: 'boolean', default: false },
} as const;

async function run(): Promise<number> {
  const { base, anchor: given, operator } = commandLine(import.meta.filename, { options: OPTIONS }).values;
  const anchor = given === undefined ? undefined : parseAnchor(given);
  if (given !== undefined && !anchor)
    throw new Error('--anchor takes NUMBER:HASH, as an earlier run printed it.');
  const [name, header, log] = operator
    ? ['OPERATOR_KEY', 'X-OPERATOR-KEY', OPERATOR_API]
    : ['API_KEY', 'X-AUTH-KEY', API];
  const origin = serviceOrigin(base);
  const key = process.env[name];
  if (!key) throw new Error(`Set ${name} in the environment.`);
  const client = new ApiClient(origin, { [header]: key });
  const from = anchor ? `&sequenceNumberFrom=${anchor.sequenceNumber}` : '';
  const path = `${log}/audit-log?sort.sortBy=sequenceNumber&sort.direction=ASC&pageSize=100${from}`;
  const verdict = await verifyLog(client.walk<ShownRecord>(path), anchor);
  if (!verdict.fault && !verdict.head && !operator) {
    // The log has at least one record: that the key of this run was issued.
    verdict.fault = { sequenceNumber: 1, what: 'it is missing, and so are all others' };
  }
  return tell(verdict, `${base === undefined ? '' : ` --base ${base}`}${operator ? ' --operator' : ''}`);
}

/** Print the result. Returns the exit code. */
function tell({ verified, head, fault, gaps }: Verdict, options: string): number {
  const last = head ? `, up to record ${head.sequenceNumber}` : '';
  const count = `${verified} ${verified === 1 ? 'record is' : 'records are'} what was committed${last}.`;
  for (const { from, to } of gaps) {
    say(
      `Numbers ${from} to ${to} have no record. The database was restored to an earlier state, as record ${to + 1} declares.`,
    );
  }
  if (fault) {
    say(`Record ${fault.sequenceNumber} is not what was committed: ${fault.what}.`);
    say(`Before it ${count}`);
    return 1;
  }
  say(count);
  if (head) {
    say('Keep this anchor out of reach of people who can change the log. Later, verify the log from it:');
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
