import { EVIDENCE_GUARDS, type Guard } from './guards-evidence.ts';
import { PLACE_GUARDS } from './guards-place.ts';

/** The text of a file without the guard. @throws unless the guard's code occurs exactly once. */
export function patched({ name, from, to }: Guard, text: string): string {
  if (text.split(from).length !== 2)
    throw new Error(`the guard "${name}" does not occur exactly once in its file`);
  return text.replace(from, () => to);
}

const WRITER = 'src/core/writer/writer.ts';
const MEMORY = 'src/core/writer/memory.ts';
const LOG = 'src/core/writer/log.ts';

/** Guards that are removed one at a time. */
export const GUARDS: readonly Guard[] = [
  {
    name: 'a pallet without a marker that leaves its manifest has an entry in its timeline',
    file: 'src/dispatch/track/timeline-store.ts',
    from: '})) given`;',
    to: '})) given WHERE given.track IS NOT NULL`;',
  },
  {
    name: 'a pallet with a retired track that leaves its manifest has an entry in its timeline',
    file: 'src/dispatch/track/timeline-store.ts',
    from: '})) given`;',
    to: "})) given LEFT JOIN track ON track.uuid = given.track WHERE track.retirement IS NOT 'RETIRED'`;",
  },
  {
    name: 'a commit must follow the record that its writer knows, not only its number',
    file: LOG,
    from: 'const isFirst = rows.length === 0 ? true : null;',
    to: 'const isFirst = null;',
  },
  {
    name: 'the record before a commit must be the last of the log',
    file: LOG,
    from: 'ORDER BY id DESC LIMIT 1), unhex(',
    to: 'AND (id & 4294967295) < value ->> 0 ORDER BY id DESC LIMIT 1), unhex(',
  },
  {
    name: 'one command is decided at a time',
    file: WRITER,
    from: 'if (!this.#running) void this.#run();',
    to: 'void this.#run();',
  },
  {
    name: 'first reads of the next command run after the commit in its batch',
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
    name: 'the idempotency record holds the answer for its command and all repeats',
    file: 'src/core/writer/idempotency.ts',
    from: 'if (!row) return undefined;',
    to: 'if (!row || row) return undefined;',
  },
  {
    name: 'the answer of a command has another id only if that id is taken',
    file: 'src/core/writer/writer.ts',
    from: 'if (isAnswerTaken(error)) first.takenIds',
    to: 'first.takenIds',
  },
  {
    name: 'a mark by hand leaves out the cancelled manifests of a shipment',
    file: 'src/dispatch/loading/commands.ts',
    from: "manifestStatus !== 'CANCELLED'",
    to: 'manifestStatus !== undefined',
  },
  {
    name: 'a move takes the answers to which repeated calls may come back',
    file: 'src/storage/move/move-runner.ts',
    from: '    await this.#copier.copyRecentAnswers();\n',
    to: '',
  },
  {
    name: 'an idempotency key has one record',
    file: 'src/core/writer/idempotency.ts',
    from: 'text: `INSERT INTO $',
    to: 'text: `INSERT OR REPLACE INTO $',
  },
  {
    name: 'an idempotency key belongs to one request',
    file: 'src/core/writer/idempotency.ts',
    from: 'row.fingerprint !== request.fingerprint',
    to: 'false',
  },
  {
    name: 'a refusal is stored as an answer',
    file: WRITER,
    from: 'if (request.idempotencyKey !== null && isAnswer(refused) && isThere) {',
    to: 'if (request.idempotencyKey === "") {',
  },
  {
    name: 'after a shared commit fails, each of its commands is tried again alone',
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
    name: 'a command in a shared commit is decided on the state after the commands before it',
    file: 'src/core/writer/waiting.ts',
    from: 'decideUnasked(waiting, following(shared.at(-1)!), first.now, isRead)',
    to: 'decideUnasked(waiting, first.state, first.now, isRead)',
  },
  {
    name: 'commands that are read together have no conflict key in common',
    file: 'src/core/writer/waiting.ts',
    from: '    if (conflictKeys.some((name) => taken.has(name))) return true;\n',
    to: '',
  },
  {
    name: 'only runs of the same command are read together',
    file: 'src/core/writer/waiting.ts',
    from: 'command !== first.command || ',
    to: '',
  },
  {
    name: 'a writer forgets its state after a collision',
    file: WRITER,
    from: 'if (!alone || !isRepeat(error)) this.#memory.forget();',
    to: '',
  },
  {
    name: 'a writer that reads the end of the log forgets the gates that it remembers',
    file: MEMORY,
    from: 'this.recalled.clear();',
    to: '',
  },
  {
    name: 'a commit that does not say what it changes of gates makes the writer forget them',
    file: 'src/core/writer/recall.ts',
    from: '      this.clear();\n      return;',
    to: '      return;',
  },
  {
    name: 'a scan makes the writer forget its pallet at all gates',
    file: 'src/core/writer/recall.ts',
    from: 'place?.things.delete(name)',
    to: 'place?.things.get(name)',
  },
  {
    name: 'the answer waits for the watermark',
    file: WRITER,
    from: 'Promise.resolve(durable).then(',
    to: 'Promise.resolve().then(',
  },
  {
    name: 'a new writer reads its watermark',
    file: MEMORY,
    from: 'const watermark = await this.#options.watermarks?.read();',
    to: 'const watermark = undefined;',
  },
  {
    name: 'after a restore, codes continue after the watermark',
    file: 'src/core/writer/writer-state.ts',
    from: 'Math.max(marker!.last ?? 0, watermark?.lastMarkerCode ?? 0)',
    to: '(marker!.last ?? 0)',
  },
  {
    name: 'after a restore, numbers after the watermark are skipped',
    file: 'src/core/writer/writer-state.ts',
    from: 'const UNCONFIRMED_MAXIMUM = 1_000;',
    to: 'const UNCONFIRMED_MAXIMUM = -1;',
  },
  {
    name: 'the watermark of a rewind is written before the rewind is declared',
    file: MEMORY,
    from: 'await watermarks?.write(rewind.watermark);',
    to: '',
  },
  {
    name: 'an event has the number after the last event',
    file: 'src/log/event/store.ts',
    from: '1 + entry.key',
    to: '2 + entry.key',
  },
  {
    name: 'the alarm is set before the commit',
    file: 'src/core/writer/jobs.ts',
    from: `    try {
      await this.#setAlarmBy(Date.now() + RECHECK_MS);
      return await commit();`,
    to: `    try {
      return await commit();`,
  },
  {
    name: 'the alarm stays set until the run after the commit has ended',
    file: 'src/core/writer/jobs.ts',
    from: 'if (commitsUnderWay > 0 || runWaiting)',
    to: 'if (commitsUnderWay > 0)',
  },
  {
    name: 'all attempts of a call have the same command id',
    file: 'src/core/writer/client.ts',
    from: 'stub.execute(request)',
    to: 'stub.execute({ ...request, commandId: newUuid() })',
  },
  {
    name: 'a batch checks that its organization lives in the database',
    file: 'src/core/lib/databases.ts',
    from: 'return organization === NO_ORGANIZATION ?',
    to: 'return organization !== "" ?',
  },
  {
    name: 'a forgotten move is recorded again, so that it is taken back',
    file: 'src/storage/move/sweep.ts',
    from: 'if (known.has(organization)) continue;',
    to: 'if (organization) continue;',
  },
  {
    name: 'a repeat of a scan gets its first answer',
    file: 'src/dispatch/loading/scan-rules.ts',
    from: 'if (earlier) return earlier;',
    to: 'if (earlier && scan.damaged) return earlier;',
  },
  {
    name: 'a used scanId is stored under an id of its own',
    file: 'src/dispatch/loading/scan-changes.ts',
    from: 'used.has(scanId) ? reusedId(read) : scanId',
    to: 'scanId',
  },
  {
    name: 'a scan that takes a pallet off resolves the alert about its record',
    file: 'src/dispatch/loading/scan-commands.ts',
    from: 'resolved.map((uuid) => ({ uuid })),',
    to: '[],',
  },
  {
    name: 'a file of orders is refused if a manifest exists already',
    file: 'src/dispatch/load/shipment/order-commands.ts',
    from: "...takenErrors('orders', 'Manifest', input.orders, manifestsTaken),",
    to: '',
  },
  {
    name: 'all orders of a file become manifests',
    file: 'src/dispatch/load/shipment/order-commands.ts',
    from: 'manifests.map(({ uuid, externalIdentifier, assets, shipment: of, ...facts }) => ({',
    to: 'manifests.slice(0, 2).map(({ uuid, externalIdentifier, assets, shipment: of, ...facts }) => ({',
  },
  {
    name: 'the manifests of a file are in their shipments',
    file: 'src/dispatch/load/shipment/order-commands.ts',
    from: 'of === null ? [] : [{ manifestUuid: uuid',
    to: 'of === null || of === shipments[1]?.externalIdentifier ? [] : [{ manifestUuid: uuid',
  },
  {
    name: 'a pallet that had a marker is given no other one',
    file: 'src/dispatch/track/store.ts',
    from: 'AND t.deleted_date IS NULL)`;',
    to: "AND t.retirement <> 'RETIRED' AND t.deleted_date IS NULL)`;",
  },
  {
    name: 'a pallet of two manifests is given one marker',
    file: 'src/dispatch/load/manifest/coupling-commands.ts',
    from: 'GROUP BY a.wms_id',
    to: 'GROUP BY a.uuid',
  },
  {
    name: 'markers are given to the pallets of open manifests only',
    file: 'src/dispatch/load/manifest/coupling-commands.ts',
    from: "AND m.manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS')",
    to: '',
  },
  {
    name: 'all pallets are given markers, up to the maximum',
    file: 'src/dispatch/load/manifest/coupling-commands.ts',
    from: 'pallets.slice(0, most).map',
    to: 'pallets.slice(0, Math.min(most, 5)).map',
  },
  ...EVIDENCE_GUARDS,
  ...PLACE_GUARDS,
];
