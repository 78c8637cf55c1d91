import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { readGatePage } from '../../../../src/web/console/board/gate-store.ts';
import { readBoard } from '../../../../src/web/console/board/store.ts';
import { addOthers } from '../../conventions/others.ts';
import { walksOf } from '../../conventions/walks.ts';
import { type Dock, loadingDock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded, recordedAlone } from '../../statements.ts';
import { gateUuid } from './forms.ts';

const databaseOf = (dock: Dock): Database => new Database(dock.uuid, databasesOf(env));

async function gatePage(dock: Dock, q: string | null = null) {
  return (await readGatePage(databaseOf(dock), await gateUuid(dock), q))!;
}

describe('the reads of the board', () => {
  it('the board shows the load of a gate, its progress, wrong pallets and waiting loads', async () => {
    const dock = await loadingDock();
    await dock.manifest('T', 'X');
    await dock.must('POST', '/manifest/T/gate/G');
    await dock.must('POST', '/manifest/T/status/TO_DO');
    await dock.manifest('U');
    await dock.must('POST', '/manifest/U/status/TO_DO');
    await dock.manifest('P');
    await dock.scan('A');
    await dock.scan('X');
    await dock.scan(77);
    const board = await readBoard(databaseOf(dock));
    const [gate, other] = board.gates;
    expect(gate).toMatchObject({
      externalIdentifier: 'G',
      active: [
        {
          kind: 'shipment',
          externalIdentifier: 'S',
          manifestsCount: 2,
          counts: { LOADED: 1, NOT_LOADED: 3, WRONGLY_LOADED: 1, UNKNOWN_LOADING: 1 },
        },
      ],
      waiting: [{ kind: 'manifest', externalIdentifier: 'T', counts: { NOT_LOADED: 1 } }],
      wrong: [
        { loadingStatus: 'UNKNOWN_LOADING', wmsId: null, markerCode: 77, belongsTo: [] },
        {
          loadingStatus: 'WRONGLY_LOADED',
          wmsId: 'X',
          belongsTo: [{ externalIdentifier: 'T', status: 'TO_DO', gate: 'Gate G' }],
        },
      ],
    });
    expect(gate!.alerts).toEqual([]);
    expect(other).toMatchObject({ externalIdentifier: 'H', active: [], waiting: [], wrong: [], alerts: [] });
    expect(board.waiting!.things.map(({ externalIdentifier }) => externalIdentifier)).toEqual(['U']);
    const { body } = await dock.must(
      'GET',
      '/audit-log?pageSize=1&sort.sortBy=sequenceNumber&sort.direction=DESC',
    );
    expect(board.sequenceNumber).toBe(body.content[0].sequenceNumber);
  });

  it('the gate page shows its pallets, the latest ones and a search result', async () => {
    const dock = await loadingDock();
    await dock.scan('A');
    await dock.scan('C', 'LOAD', { damaged: true });
    const page = await gatePage(dock);
    expect(page.open.map(({ wmsId, manifestExternalId }) => [wmsId, manifestExternalId])).toEqual([
      ['B', 'M'],
      ['B', 'N'],
    ]);
    expect(page.loaded.map(({ wmsId, track }) => [wmsId, track!.damaged])).toEqual([
      ['C', 1],
      ['A', 0],
    ]);
    expect(page.members.map(({ externalIdentifier, counts }) => [externalIdentifier, counts])).toEqual([
      ['M', { LOADED: 1, NOT_LOADED: 1 }],
      ['N', { LOADED: 1, NOT_LOADED: 1 }],
    ]);
    expect(page.gates.map(({ name }) => name)).toEqual(['Gate G', 'Gate H']);
    expect(page.found).toBeUndefined();
    const found = async (q: string) => (await gatePage(dock, q)).found!.map(({ wmsId }) => wmsId);
    expect(await found('a')).toEqual(['A']);
    expect(await found(String(dock.codes['B']))).toEqual(['B', 'B']);
    expect(await found('%')).toEqual([]);
    expect(await readGatePage(databaseOf(dock), crypto.randomUUID(), null)).toBeUndefined();
  });

  it('the board shows nothing of another organization', async () => {
    const [dock, other] = [await loadingDock(), await newDock()];
    expect(await readGatePage(databaseOf(other), await gateUuid(dock), null)).toBeUndefined();
    expect((await readBoard(databaseOf(other))).gates.map(({ active }) => active)).toEqual([[], []]);
  });

  it('the board shows the wrong pallets of a load that was completed no more, and its alert stays open', async () => {
    const dock = await loadingDock();
    await dock.scan('X');
    await dock.scan(77);
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const { gate } = await gatePage(dock);
    expect([gate.active, gate.wrong, gate.alerts]).toEqual([[], [], []]);
    const { body } = await dock.must('GET', '/alert-event?severity=CRITICAL&status=OPEN&gateExternalId=G');
    expect(body.content.map(({ alertType }: { alertType: string }) => alertType)).toEqual([
      'UNKNOWN_LOADING',
      'WRONGLY_LOADED',
    ]);
  });

  it('the wrong pallets of a load in progress are at the gate to which the load has moved', async () => {
    const dock = await loadingDock();
    await dock.scan('X');
    await dock.must('POST', '/shipment/S/gate/H');
    const [gate, other] = (await readBoard(databaseOf(dock))).gates;
    expect([gate!.wrong, gate!.alerts]).toEqual([[], []]);
    expect(other!.wrong).toMatchObject([{ wmsId: 'X' }]);
  });

  it('the board calls D1 once with a fixed number of statements and walks over gates only', async () => {
    const dock = await loadingDock();
    await dock.scan('X');
    const uuid = await gateUuid(dock);
    const reads = {
      board: () => readBoard(databaseOf(dock)),
      part: () => readBoard(databaseOf(dock), { gates: [uuid], waiting: false }),
      gate: () => readGatePage(databaseOf(dock), uuid, null),
      found: () => readGatePage(databaseOf(dock), uuid, 'A'),
    };
    for (const [name, read] of Object.entries(reads)) {
      const [trip, ...others] = await recordedAlone(read);
      expect([name, trip!.statements.length, others]).toEqual([
        name,
        { board: 4, part: 2, gate: 11, found: 12 }[name],
        [],
      ]);
      for (const statement of trip!.statements) {
        expect([name, statement.text, await walksOf(statement)]).toEqual([name, statement.text, []]);
      }
    }
  });

  it('the board reads as many rows among 2,000 other manifests, shipments and pallets', async () => {
    const dock = await loadingDock();
    await dock.scan('X');
    const uuid = await gateUuid(dock);
    const rows = async (read: () => Promise<unknown>) => (await recorded(read))[0]!.rowsRead;
    const before = await rows(() => readGatePage(databaseOf(dock), uuid, null));
    await addOthers(dock, 2_000);
    const after = await rows(() => readGatePage(databaseOf(dock), uuid, null));
    // The other 200 gates of the choice, the waiting loads up to their limit, and the rows searched for them.
    expect(after).toBeLessThan(before + 3_000);
  });
});
