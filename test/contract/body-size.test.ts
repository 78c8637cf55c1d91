import { describe, expect, it } from 'vitest';
import { type Operation, operations, takesFile } from './document.ts';
import { exampleOf } from './operations.ts';
import { refusals } from './problem.ts';
import { type Change, send, undocumented } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { storedState } from './state.ts';

const withBody = operations.filter(({ body }) => body !== undefined);
const headers = { 'Content-Type': 'application/json' };
/** The contract's limit of a JSON body, in bytes. */
const limitOf = (operated: Operation): number =>
  (takesFile(operated) ? 25 : operated.operationId === 'bulkUpsertShipments' ? 5 : 1) * 1024 * 1024;

/** Valid JSON of exactly this many bytes, padded with leading white space. */
function padded(json: unknown, bytes: number): string {
  const text = JSON.stringify(json);
  return ' '.repeat(bytes - new TextEncoder().encode(text).length) + text;
}

/** A chunked body without Content-Length. */
function chunked(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(offset, offset + 64 * 1024));
      offset += 64 * 1024;
    },
  });
}

describe('a body', () => {
  it('a body over its limit with any content gets 413, announced or in chunks', async () => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    const change =
      (raw: (text: string) => BodyInit) =>
      (operated: Operation): Change => ({
        raw: raw(padded(exampleOf(operated, world.names).json, limitOf(operated) + 1)),
        headers,
      });
    expect(await refusals(withBody, world, change(String), 413, 'payloadTooLarge')).toEqual([]);
    expect(await refusals(withBody, world, change(chunked), 413, 'payloadTooLarge')).toEqual([]);
    const junk = (operated: Operation) => ({ raw: '{'.repeat(limitOf(operated) + 1), headers });
    expect(await refusals(withBody, world, junk, 413, 'payloadTooLarge')).toEqual([]);
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it.each(['with its length announced', 'in chunks'])('a body of 20 MB %s gets 413', async (how) => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    const text = padded({ externalIdentifier: 'M' }, 20_000_000);
    const create = operations.filter(({ operationId }) => operationId === 'createManifest');
    const change = () => ({ raw: how === 'in chunks' ? chunked(text) : text, headers });
    expect(await refusals(create, world, change, 413, 'payloadTooLarge')).toEqual([]);
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it.each(withBody)(
    '$operationId takes a body of exactly its limit, announced and in chunks',
    async (operated) => {
      for (const raw of [String, chunked]) {
        const world = await restoredWorld();
        const { json, status } = exampleOf(operated, world.names);
        const answer = await send(operated, world, { raw: raw(padded(json, limitOf(operated))), headers });
        expect([answer.status, undocumented(operated, answer)]).toEqual([status, []]);
      }
    },
  );
});
