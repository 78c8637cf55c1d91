/** A guard of the writer, and what stands in its place where it is taken away. */
export interface Guard {
  name: string;
  file: string;
  from: string;
  to: string;
}

/** A text without its guard. @throws where the guard does not stand there once. */
export function patched({ name, from, to }: Guard, text: string): string {
  if (text.split(from).length !== 2) throw new Error(`the guard "${name}" is not where it was`);
  return text.replace(from, () => to);
}

const WRITER = 'src/core/writer/writer.ts';
const MEMORY = 'src/core/writer/memory.ts';
const LOG = 'src/core/writer/log.ts';

/** Guards that have to be missed, each by itself, when they are taken away. */
export const GUARDS: readonly Guard[] = [
  {
    name: 'a commit is fenced: it follows the record that its writer knows, not only the number',
    file: LOG,
    from: '...(index === 0 ? [true] : []),',
    to: '',
  },
  {
    name: 'the record that a commit follows is the last',
    file: LOG,
    from: 'ORDER BY sequence_number DESC LIMIT 1),',
    to: 'AND sequence_number < value ->> 0 ORDER BY sequence_number DESC LIMIT 1),',
  },
  {
    name: 'one command is decided at a time',
    file: WRITER,
    from: 'if (!this.#running) void this.#run();',
    to: 'void this.#run();',
  },
  {
    name: 'reads that ride along are made behind the commit',
    file: WRITER,
    from: 'database.send(batch.all);',
    to: `{
      const riding = batch.all.slice(batch.statements.length);
      return database
        .send([...riding, ...batch.statements])
        .then((all) => [...all.slice(riding.length), ...all.slice(0, riding.length)]);
    };`,
  },
  {
    name: 'a record is the answer of its command, and of its repeats',
    file: 'src/core/writer/idempotency.ts',
    from: 'if (!row) return undefined;',
    to: 'if (!row || row) return undefined;',
  },
  {
    name: 'a key has one record',
    file: 'src/core/writer/idempotency.ts',
    from: 'INSERT INTO idempotency',
    to: 'INSERT OR REPLACE INTO idempotency',
  },
  {
    name: 'a key is of one request',
    file: 'src/core/writer/idempotency.ts',
    from: 'row.fingerprint !== request.fingerprint',
    to: 'false',
  },
  {
    name: 'a refusal is kept as an answer',
    file: WRITER,
    from: 'if (request.idempotencyKey !== null && isAnswer(refused) && isThere) {',
    to: 'if (request.idempotencyKey === "") {',
  },
  {
    name: 'who shared a commit that failed goes alone, the others being no fault of his',
    file: WRITER,
    from: `    if (!alone) {
      first.attempts -= 1;
      return;
    }
    first.retry();`,
    to: `    if (!alone) {
      for (const { waiting } of shared) this.#finish(waiting, { kind: 'defect' });
      return;
    }
    first.retry();`,
  },
  {
    name: 'who shares a commit is decided on what those before him leave',
    file: 'src/core/writer/share.ts',
    from: 'decideUnasked(waiting, following(shared.at(-1)!), first.now, isRead)',
    to: 'decideUnasked(waiting, first.state, first.now, isRead)',
  },
  {
    name: 'who is read and decided together touches nothing in common',
    file: 'src/core/writer/share.ts',
    from: ' || conflictKeys.some((name) => taken.has(name))',
    to: '',
  },
  {
    name: 'who is read and decided together is the same command',
    file: 'src/core/writer/share.ts',
    from: 'command !== first.command || ',
    to: '',
  },
  {
    name: 'a writer that collides forgets what it knew',
    file: WRITER,
    from: 'if (!alone || !isRepeat(error)) this.#memory.forget();',
    to: '',
  },
  {
    name: 'the answer waits for the mark',
    file: WRITER,
    from: 'Promise.resolve(durable).then(',
    to: 'Promise.resolve().then(',
  },
  {
    name: 'a writer that begins reads its mark',
    file: MEMORY,
    from: 'const watermark = await this.#options.watermarks?.read();',
    to: 'const watermark = undefined;',
  },
  {
    name: 'codes go on behind the mark when the store was put back',
    file: 'src/core/writer/writer-state.ts',
    from: 'Math.max(marker!.last ?? 0, watermark?.lastMarkerCode ?? 0)',
    to: '(marker!.last ?? 0)',
  },
  {
    name: 'numbers behind the mark are left out when the store was put back',
    file: 'src/core/writer/writer-state.ts',
    from: 'const UNCONFIRMED_MAXIMUM = 1_000;',
    to: 'const UNCONFIRMED_MAXIMUM = -1;',
  },
  {
    name: 'the numbers of a rewind are kept before it is declared',
    file: MEMORY,
    from: 'await watermarks?.write(rewind.watermark);',
    to: '',
  },
  {
    name: 'an event has the number behind the last one',
    file: 'src/log/event/store.ts',
    from: '+ 1 + entry.key',
    to: '+ 2 + entry.key',
  },
  {
    name: 'the alarm stands before the commit',
    file: 'src/core/writer/jobs.ts',
    from: `    try {
      await this.#setAlarmBy(Date.now() + RECHECK_MS);
      return await commit();`,
    to: `    try {
      return await commit();`,
  },
  {
    name: 'the alarm stands until the run behind the commit has ended',
    file: 'src/core/writer/job-timing.ts',
    from: 'if (commitsUnderWay > 0 || runWaiting)',
    to: 'if (commitsUnderWay > 0)',
  },
  {
    name: 'all attempts of a call carry one command id',
    file: 'src/core/writer/client.ts',
    from: '.execute(request)',
    to: '.execute({ ...request, commandId: newUuid() })',
  },
  {
    name: 'a batch looks whether its organization lives there',
    file: 'src/core/lib/databases.ts',
    from: 'return organization === NO_ORGANIZATION ?',
    to: 'return organization !== "" ?',
  },
  {
    name: 'a move that is forgotten is noted again, to be gone back from',
    file: 'src/storage/move/sweep.ts',
    from: 'if (known.has(organization)) continue;',
    to: 'if (organization) continue;',
  },
];
