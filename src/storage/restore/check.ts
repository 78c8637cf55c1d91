import { createHash } from 'node:crypto';
import { linesOf } from '../../core/lib/lines.ts';
import { lineReader } from '../transfer/line.ts';
import { type LogEnd, LogWalk } from '../transfer/log-walk.ts';

/** What a part of an export contains. */
export interface CheckedPart {
  /** Why it must not be restored; undefined if it is complete and unaltered. */
  fault: string | undefined;
  /** Rows by table. */
  counts: Record<string, number>;
  /** The end of the log so far. */
  log: LogEnd;
  /** SHA-256 (hex) of its lines before the last one; undefined if it is incomplete. */
  sha256?: string;
}

/** The name of the table is at the start of the line of a row. */
const TABLE = /^\{"table":"(\w+)"/;
const TABLE_BYTES = 100;

/**
 * Verify a part of an export: the number and digest of its lines, and the hash of each audit record. `log`: the end of the
 * log in the parts before it.
 */
export async function checkPart(bytes: AsyncIterable<Uint8Array>, log?: LogEnd): Promise<CheckedPart> {
  const hash = createHash('sha256');
  const walk = new LogWalk(log);
  const counts: Record<string, number> = {};
  const answer = (fault: string | undefined): CheckedPart => ({ fault, counts, log: walk.end });
  let count = 0;
  let last: Buffer | undefined;
  try {
    for await (const line of linesOf(bytes, lineReader.limits.bytes)) {
      if (last) {
        hash.update(last);
        count += 1;
      }
      last = line;
      const [, table] = TABLE.exec(line.toString('latin1', 0, TABLE_BYTES)) ?? [];
      if (table === undefined || table === 'organization') continue;
      counts[table] = (counts[table] ?? 0) + 1;
      if (table !== 'command_log') continue;
      const fault = walk.take(JSON.parse(line.toString()).values);
      if (fault) return answer(`${table}.${fault.column} ${fault.why}`);
    }
    const end = JSON.parse(String(last));
    const sha256 = hash.digest('hex');
    const isWhole = end.count === count && end.sha256 === sha256;
    return isWhole ? { ...answer(undefined), sha256 } : answer('it is incomplete');
  } catch (error) {
    if (error instanceof SyntaxError || (error as Error).name === 'LineError')
      return answer('it is incomplete');
    throw error;
  }
}
