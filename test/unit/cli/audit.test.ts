import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAnchor, parseAnchor, verifyLog } from '../../../src/cli/audit-chain.ts';
import type { ShownRecord } from '../../../src/cli/audit-record.ts';
import { chainRecord, FIRST_PREVIOUS_HASH, recordUuid, salts } from '../../../src/core/writer/chain.ts';

const START = 1_700_000_000_000;
const PERSON = '01900000-0000-7000-8000-000000000001';

/** A log with these values, as the service writes and shows it. */
function logOf(values: unknown[], from = 1, previousHash = FIRST_PREVIOUS_HASH): ShownRecord[] {
  let previous = previousHash;
  return values.map((newValue, index) => {
    const record = chainRecord(
      {
        action: 'TRACK_FLAGGED',
        entityType: index % 3 === 2 ? 'USER' : 'TRACK',
        entityUuid: PERSON,
        entityExternalId: index % 2 === 0 ? 'P' : null,
        changes: [
          { field: 'reason', oldValue: null, newValue },
          { field: 'email', oldValue: null, newValue: 'a@example.com' },
        ],
        ...(index % 3 === 2 ? { personal: ['email'] } : {}),
      },
      { sequenceNumber: from + index, previousHash: previous, now: START + index },
      {
        actor:
          index % 3 === 1
            ? { actorType: 'USER', uuid: PERSON, displayName: 'Ånn Lee' }
            : { actorType: 'SYSTEM', uuid: null, displayName: 'Système' },
        requestId: `r-${index}`,
        ipAddress: '192.0.2.1',
      },
      salts('secret'),
    );
    previous = record.hash;
    const date = record.eventDate;
    const uuid = recordUuid(START + index, record.hash);
    const shown = {
      ...record,
      uuid,
      createDate: date,
      updateDate: date,
      deepLink: `https://x/${uuid}`,
    };
    return JSON.parse(JSON.stringify(shown));
  });
}

async function* walked(records: ShownRecord[]): AsyncGenerator<ShownRecord> {
  yield* records;
}

const verify = (records: ShownRecord[], anchor?: { sequenceNumber: number; hash: string }) =>
  verifyLog(walked(records), anchor);
const faultAt = async (records: ShownRecord[]) => (await verify(records)).fault?.sequenceNumber;
const anchorOf = ({ sequenceNumber, hash }: ShownRecord) => ({ sequenceNumber, hash });

const values = fc.array(fc.jsonValue({ stringUnit: 'binary' }), { minLength: 3, maxLength: 12 });

describe('a log', () => {
  it('the verifier accepts a log with any content and names its last record', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const log = logOf(given);
        expect(await verify(log)).toEqual({
          verified: log.length,
          head: anchorOf(log.at(-1)!),
          fault: undefined,
          gaps: [],
        });
      }),
    );
    expect(await verify([])).toEqual({ verified: 0, head: undefined, fault: undefined, gaps: [] });
  });

  it('the verifier accepts a log from a stored record on', async () => {
    const log = logOf([1, 2, 3, 4, 5]);
    for (const [index, kept] of log.entries()) {
      const verdict = await verify(log.slice(index), anchorOf(kept));
      expect(verdict).toEqual({ verified: 5 - index, head: anchorOf(log[4]!), fault: undefined, gaps: [] });
    }
  });
});

/** The paths of all values in a record. */
function placesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([key, item]) =>
    placesOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function changedAt(record: ShownRecord, path: (string | number)[]): ShownRecord {
  const copy = structuredClone(record);
  type Holder = Record<string | number, unknown>;
  const holder = path.slice(0, -1).reduce((value, key) => value[key] as Holder, copy as Holder);
  const key = path.at(-1)!;
  const old = holder[key];
  holder[key] =
    typeof old === 'string' ? `${old}x` : typeof old === 'number' ? old + 1 : old === null ? 0 : !old;
  return copy;
}

describe('faults that are found', () => {
  it('the verifier finds a change of any value of a record, at that record', async () => {
    const log = logOf(['a', { b: [1, null, true] }, 'ß', 4]);
    let tried = 0;
    for (const [index, record] of log.entries()) {
      for (const path of placesOf(record).filter(([field]) => field !== 'deepLink')) {
        const tampered = log.with(index, changedAt(record, path));
        expect([path, await faultAt(tampered)]).toEqual([path, index + 1]);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(60);
  });

  it('the verifier finds a missing, added, repeated or moved record at the first wrong position', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.nat(), fc.nat(), async (given, one, two) => {
        const log = logOf(given);
        const [i, j] = [one % log.length, two % log.length];
        if (i < log.length - 1) expect(await faultAt(log.toSpliced(i, 1))).toBe(i + 1);
        expect(await faultAt(log.toSpliced(i + 1, 0, log[i]!))).toBe(i + 2);
        if (i !== j) {
          const swapped = log.with(i, log[j]!).with(j, log[i]!);
          expect(await faultAt(swapped)).toBe(Math.min(i, j) + 1);
          // The same records with exchanged numbers. Then the numbers are in order, but the contents are
          // exchanged.
          const numbered = swapped.map((record, index) => ({ ...record, sequenceNumber: index + 1 }));
          expect(await faultAt(numbered)).toBe(Math.min(i, j) + 1);
        }
        const reversed = log.toReversed().map((record, index) => ({ ...record, sequenceNumber: index + 1 }));
        expect([await faultAt(log.toReversed()), await faultAt(reversed)]).toEqual([1, 1]);
      }),
    );
  });

  it('the verifier finds a rewritten record with a matching hash by the record after it', async () => {
    const log = logOf([1, 2, 3, 4]);
    const [forged] = logOf(['forged'], 2, log[0]!.hash);
    expect(await faultAt(log.with(1, forged!))).toBe(3);
  });

  it('the verifier finds a rewritten or truncated tail by a stored record', async () => {
    const log = logOf([1, 2, 3, 4]);
    const kept = anchorOf(log[2]!);
    const changed = [...log.slice(0, 2), ...logOf(['x', 'y'], 3, log[1]!.hash)];
    expect((await verify(changed)).fault).toBeUndefined();
    expect((await verify(changed.slice(2), kept)).fault).toMatchObject({
      sequenceNumber: 3,
      what: expect.stringContaining('rewritten'),
    });
    expect((await verify(log.slice(0, 2))).fault).toBeUndefined();
    expect((await verify([], kept)).fault).toMatchObject({
      sequenceNumber: 3,
      what: expect.stringContaining('cut off'),
    });
  });

  it('the verifier finds text that canonical JSON cannot hold', async () => {
    const log = logOf([1, 2]);
    expect(await faultAt(log.with(1, { ...log[1]!, action: '\ud800' }))).toBe(2);
  });
});

describe('an anchor', () => {
  it('the verifier reads an anchor in its written form only', () => {
    const anchor = { sequenceNumber: 17, hash: 'a1'.repeat(32) };
    expect(parseAnchor(formatAnchor(anchor))).toEqual(anchor);
    const hash = anchor.hash;
    for (const text of [
      '',
      '17',
      `0:${hash}`,
      `-1:${hash}`,
      `1:${hash}0`,
      `1.5:${hash}`,
      `x:${hash}`,
      ` 1:${hash}`,
    ])
      expect([text, parseAnchor(text)]).toEqual([text, undefined]);
  });
});
