import { describe, expect, it } from 'vitest';
import type { CommandRequest, Outcome } from '../../../src/writer/command.ts';
import { storedState } from '../../contract/state.ts';
import { type Answer, newGate } from '../client.ts';
import { type Dock, newDock } from '../shipment/dock.ts';
import { bodyOf, request, writerOf } from '../writer/requests.ts';

const ROUNDS = 12;
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

const by = (...ids: string[]) => ids.map((manifestExternalId) => ({ manifestExternalId }));
const told = ({ status, body }: Answer) => (body?.code ? `${status} ${body.code}` : `${status}`);
const read = async (dock: Dock, path: string) => (await dock.must('GET', path)).body;

/** Send all at once, in an order and with pauses between that differ from round to round; answers in the order given. */
async function atOnce<T>(round: number, requests: (() => Promise<T>)[]): Promise<T[]> {
  const turned = requests.map((_, index) => (index + round) % requests.length);
  const order = round % 2 === 0 ? turned : turned.toReversed();
  const answers: T[] = [];
  await Promise.all(
    order.map(async (index, place) => {
      if (round >= ROUNDS / 2) await new Promise((resolve) => setTimeout(resolve, ((place * round) % 5) * 2));
      answers[index] = await requests[index]!();
    }),
  );
  return answers;
}

const count = (texts: string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(texts)].sort().map((text) => [text, texts.filter((other) => other === text).length]),
  );

/** As if sent one after the other: which answers a transition and its rival may have got together. */
const together = (answers: Answer[]): string => answers.map(told).join(', ');

describe('shipments that race for one manifest', () => {
  const RACERS = 6;

  it('get it once: the others are told which item was gone, and have none of the rest', async () => {
    const dock = await newDock();
    for (const round of rounds) {
      const contested = `C${round}`;
      await dock.manifest(contested, 'A');
      const racers = Array.from({ length: RACERS }, (_, index) => `${round}-${index}`);
      for (const id of racers) {
        await dock.manifest(`own ${id}`, 'B');
        await dock.manifest(`more ${id}`, 'B');
      }
      // A third of them create their shipment, a third attach to it, a third replace its manifests.
      const ways = racers.map((_, index) => ['create', 'attach', 'replace'][index % 3]!);
      for (const [index, id] of racers.entries()) {
        if (ways[index] !== 'create') await dock.shipment(id, [`own ${id}`]);
      }
      const answers = await atOnce(
        round,
        racers.map((id, index) => () => {
          const wanted = { manifests: by(`more ${id}`, contested) };
          if (ways[index] === 'create') return dock.call('POST', '/shipment', { identifier: id, ...wanted });
          return ways[index] === 'attach'
            ? dock.call('POST', `/shipment/${id}/manifest`, wanted)
            : dock.call('PUT', `/shipment/${id}`, wanted);
        }),
      );
      const winners = racers.filter((_, index) => answers[index]!.status < 300);
      expect(winners).toHaveLength(1);
      for (const [index, id] of racers.entries()) {
        const member = await read(dock, `/manifest/more ${id}`);
        if (id === winners[0]) {
          expect(member.manifestStatus).toBe('TO_DO');
          continue;
        }
        const { status, body } = answers[index]!;
        expect([status, body.code, body.errors]).toEqual([
          409,
          'manifestsNotAttachable',
          [
            {
              field: 'manifests[1].manifestExternalId',
              code: 'manifestInAnotherShipment',
              message: expect.any(String),
              rejectedValue: contested,
            },
          ],
        ]);
        expect([member.manifestStatus, member.gate]).toEqual(['PLANNED', null]);
        const shipment = await dock.call('GET', `/shipment/${id}`);
        if (ways[index] === 'create') expect(shipment.status).toBe(404);
        else expect(shipment.body.manifests).toMatchObject(by(`own ${id}`));
      }
      const holders = (await read(dock, '/shipment?pageSize=100')).content.filter(
        (shipment: { manifests: { manifestExternalId: string }[] }) =>
          shipment.manifests.some(({ manifestExternalId }) => manifestExternalId === contested),
      );
      expect(holders.map((shipment: { externalIdentifier: string }) => shipment.externalIdentifier)).toEqual(
        winners,
      );
    }
  });
});

describe('transitions that exclude each other', () => {
  /** Shipment `id` of its own manifest, in progress at G, and a manifest beside it. */
  async function loading(dock: Dock, id: string): Promise<void> {
    await dock.manifest(`m ${id}`, 'A');
    await dock.manifest(`beside ${id}`, 'B');
    await dock.shipment(id, [`m ${id}`], { gateIdentifier: 'G' });
    await dock.must('POST', `/shipment/${id}/status/IN_PROGRESS`);
  }

  it('COMPLETED or CANCELLED: one is, and every other caller is told', async () => {
    const dock = await newDock();
    for (const round of rounds) {
      const id = `S${round}`;
      await loading(dock, id);
      const targets = ['COMPLETED', 'CANCELLED', 'COMPLETED', 'CANCELLED'];
      const answers = await atOnce(
        round,
        targets.map((to) => () => dock.call('POST', `/shipment/${id}/status/${to}`)),
      );
      expect(count(answers.map(told))).toEqual({ '204': 1, '400 transitionNotAllowed': 3 });
      for (const { body } of answers.filter(({ status }) => status === 400))
        expect(body.allowedValues).toEqual([]);
      const status = targets[answers.findIndex((answer) => answer.status === 204)];
      const shipment = await read(dock, `/shipment/${id}`);
      expect(shipment.status).toBe(status);
      expect(await read(dock, `/manifest/m ${id}`)).toMatchObject({
        manifestStatus: status,
        activateDate: shipment.activateDate,
        closeDate: shipment.closeDate,
      });
    }
  });

  it('completion or deletion, while somebody attaches: they agree on one order', async () => {
    const dock = await newDock();
    const seen = new Set<string>();
    for (const round of rounds) {
      const id = `S${round}`;
      await loading(dock, id);
      const answers = await atOnce(round, [
        () => dock.call('POST', `/shipment/${id}/status/COMPLETED`),
        () => dock.call('DELETE', `/shipment/${id}`),
        () => dock.call('POST', `/shipment/${id}/manifest`, { manifests: by(`beside ${id}`) }),
      ]);
      const outcome = together(answers);
      seen.add(outcome);
      expect([
        '204, 409 shipmentClosed, 200',
        '204, 409 shipmentClosed, 409 shipmentClosed',
        '404 shipmentNotFound, 204, 200',
        '404 shipmentNotFound, 204, 404 shipmentNotFound',
      ]).toContain(outcome);
      const [completed, attached] = [answers[0]!.status === 204, answers[2]!.status === 200];
      const status = async (manifest: string) => (await read(dock, `/manifest/${manifest}`)).manifestStatus;
      expect([await status(`m ${id}`), await status(`beside ${id}`)]).toEqual([
        completed ? 'COMPLETED' : 'PLANNED',
        completed && attached ? 'COMPLETED' : 'PLANNED',
      ]);
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('start or cancellation, while its gate is cleared: never in progress without a gate', async () => {
    const dock = await newDock();
    for (const round of rounds) {
      const id = `S${round}`;
      await dock.manifest(`m ${id}`, 'A');
      await dock.shipment(id, [`m ${id}`], { gateIdentifier: 'G' });
      const [start, clear, detach] = await atOnce(round, [
        () => dock.call('POST', `/shipment/${id}/status/IN_PROGRESS`),
        () => dock.call('PUT', `/shipment/${id}`, { gateIdentifier: '' }),
        () => dock.call('DELETE', `/shipment/${id}/manifest`, { manifests: by(`m ${id}`) }),
      ]);
      expect(['204, 400 gateRequired', '400 gateRequired, 200']).toContain(together([start!, clear!]));
      expect(detach!.status).toBe(200);
      const shipment = await read(dock, `/shipment/${id}`);
      expect([shipment.status, shipment.gate !== null]).toEqual(
        start!.status === 204 ? ['IN_PROGRESS', true] : ['TO_DO', false],
      );
      expect(await read(dock, `/manifest/m ${id}`)).toMatchObject({
        manifestStatus: 'PLANNED',
        activateDate: null,
      });
    }
  });

  it('a manifest is deleted, cancelled, started by itself or attached, but not two of these', async () => {
    const dock = await newDock();
    for (const round of rounds) {
      const id = `S${round}`;
      for (const manifest of [`m ${id}`, `beside ${id}`]) await dock.manifest(manifest, 'A');
      await dock.shipment(id, [`m ${id}`], { gateIdentifier: 'G' });
      const beside = encodeURIComponent(`beside ${id}`);
      const answers = await atOnce(round, [
        () => dock.call('POST', `/shipment/${id}/manifest`, { manifests: by(`beside ${id}`) }),
        () => dock.call('DELETE', `/manifest/${beside}`),
        () => dock.call('POST', `/manifest/${beside}/status/TO_DO`),
      ]);
      expect([
        '200, 409 manifestBelongsToShipment, 409 manifestBelongsToShipment',
        '409 manifestsNotAttachable, 200, 404 manifestNotFound',
        '409 manifestsNotAttachable, 200, 200',
      ]).toContain(together(answers));
      const members = (await read(dock, `/shipment/${id}`)).manifests.length;
      expect(members).toBe(answers[0]!.status === 200 ? 2 : 1);
    }
  });
});

describe('scans of one pallet while its shipment is completed', () => {
  it('load it before or find nothing after, and a repeat is the first answer', async () => {
    const dock = await newDock();
    await dock.couple('A');
    const seen = new Set<string>();
    for (const round of rounds) {
      const [id, gate] = [`S${round}`, `gate ${round}`];
      await newGate(dock, gate);
      await dock.manifest(`m ${id}`, 'A');
      await dock.shipment(id, [`m ${id}`], { gateIdentifier: gate });
      await dock.must('POST', `/shipment/${id}/status/IN_PROGRESS`);
      const scan = (scanId: string) => () =>
        dock.device('POST', `/gate/${gate}/scan`, {
          scanId: `${round} ${scanId}`,
          markerCode: dock.codes['A'],
          direction: 'LOAD',
        });
      const answers = await atOnce(round, [
        scan('a'),
        scan('b'),
        scan('a'),
        () => dock.call('POST', `/shipment/${id}/status/COMPLETED`),
        scan('c'),
      ]);
      expect(answers[3]!.status).toBe(204);
      expect(answers[2]!.body).toEqual(answers[0]!.body);
      const outcomes = [0, 1, 4].map((index) => answers[index]!.body.outcome);
      for (const outcome of outcomes) expect(['LOADED', 'NO_ACTIVE_MANIFEST']).toContain(outcome);
      const loaded = outcomes.filter((outcome) => outcome === 'LOADED').length;
      seen.add(`${loaded}`);
      const [record] = await read(dock, `/shipment/${id}/asset-loading`);
      expect(record.loadingStatus).toBe(loaded > 0 ? 'LOADED' : 'NOT_LOADED');
      expect(await read(dock, `/shipment/${id}`)).toMatchObject({ loadedAssetsCount: Math.min(loaded, 1) });
      const entries = (await read(dock, '/track/A/activity?pageSize=100')).content.filter(
        (entry: { gate: { externalIdentifier: string } | null }) => entry.gate?.externalIdentifier === gate,
      );
      expect(count(entries.map(({ activityType }: { activityType: string }) => activityType))).toEqual(
        loaded > 0 ? { LOADED: 1, SEEN: 2 } : { SEEN: 3 },
      );
      const alerts = (await read(dock, '/alert-event?pageSize=100')).content.filter(
        (alert: { gate: { externalIdentifier: string } }) => alert.gate.externalIdentifier === gate,
      );
      expect(alerts).toHaveLength(loaded < 3 ? 1 : 0);
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('of a pallet that does not belong there add one record and raise one alert', async () => {
    const dock = await newDock();
    await dock.couple('X');
    for (const round of rounds) {
      const [id, gate] = [`S${round}`, `gate ${round}`];
      await newGate(dock, gate);
      await dock.manifest(`m ${id}`, 'A');
      await dock.shipment(id, [`m ${id}`], { gateIdentifier: gate });
      await dock.must('POST', `/shipment/${id}/status/IN_PROGRESS`);
      const answers = await atOnce(
        round,
        ['a', 'b', 'c', 'd'].map(
          (scanId, index) => () =>
            dock.device('POST', `/gate/${gate}/scan`, {
              scanId: `${round} ${scanId}`,
              markerCode: index % 2 === 0 ? dock.codes['X'] : 777_777,
              direction: 'LOAD',
            }),
        ),
      );
      expect(answers.map(({ body }) => body.outcome)).toEqual([
        'WRONGLY_LOADED',
        'UNKNOWN_LOADING',
        'WRONGLY_LOADED',
        'UNKNOWN_LOADING',
      ]);
      expect(new Set(answers.map(({ body }) => body.recordUuid)).size).toBe(2);
      expect(await read(dock, `/shipment/${id}/asset-loading`)).toHaveLength(3);
      const alerts = (await read(dock, '/alert-event?pageSize=100')).content.filter(
        (alert: { shipmentExternalId: string }) => alert.shipmentExternalId === id,
      );
      expect(alerts).toHaveLength(2);
    }
  });
});

describe('creates of one identifier', () => {
  it('of a shipment: one is, with its manifests; the others keep theirs', async () => {
    const dock = await newDock();
    for (const round of rounds) {
      const manifests = Array.from({ length: 5 }, (_, index) => `${round}-${index}`);
      for (const id of manifests) await dock.manifest(id, 'A');
      const answers = await atOnce(
        round,
        manifests.map(
          (id) => () => dock.call('POST', '/shipment', { identifier: `S${round}`, manifests: by(id) }),
        ),
      );
      expect(count(answers.map(told))).toEqual({ '201': 1, '409 externalIdentifierInUse': 4 });
      const winner = manifests[answers.findIndex(({ status }) => status === 201)];
      expect((await read(dock, `/shipment/S${round}`)).manifests).toMatchObject(by(winner!));
      for (const id of manifests) {
        const { manifestStatus } = await read(dock, `/manifest/${id}`);
        expect([id, manifestStatus]).toEqual([id, id === winner ? 'TO_DO' : 'PLANNED']);
      }
    }
  });

  it('of a manifest, and couplings of one marker or one pallet', async () => {
    const dock = await newDock({ markerCodeStart: 1 });
    await dock.must('POST', `/marker-code/allocate?imageDelivery=URL&quantity=${ROUNDS * 3}`);
    for (const round of rounds) {
      const code = round * 3 + 1;
      const couple = (markerCode: number, wmsId: string) => () =>
        dock.call('POST', '/track/couple', { markerCode, wmsId: `${wmsId}${round}` });
      const create = (asset: string) => () =>
        dock.call('POST', '/manifest', { externalIdentifier: `M${round}`, assets: [asset] });
      const answers = await atOnce(round, [
        create('A'),
        create('B'),
        create('C'),
        couple(code, 'P'),
        couple(code, 'Q'),
        couple(code + 1, 'R'),
        couple(code + 2, 'R'),
      ]);
      expect(count(answers.slice(0, 3).map(told))).toEqual({ '201': 1, '409 externalIdentifierInUse': 2 });
      expect(count(answers.slice(3, 5).map(told))).toEqual({ '200': 1, '409 markerAlreadyCoupled': 1 });
      expect(count(answers.slice(5).map(told))).toEqual({ '200': 1, '409 wmsIdAlreadyCoupled': 1 });
    }
    const { track } = await storedState(dock);
    expect(track).toHaveLength(ROUNDS * 2);
  });
});

describe('several writers of one organization, as an old object beside its successor', () => {
  const WRITERS = 4;
  const references = (...ids: string[]) =>
    by(...ids).map((reference) => ({ ...reference, manifestUuid: null }));
  const outcomes = (answers: Outcome[]) =>
    count(answers.map((answer) => (answer.kind === 'refused' ? answer.refusal.code : answer.kind)));

  it('attach a manifest once, close a shipment once, and take a scan once', async () => {
    const dock = await newDock();
    await dock.couple('X');
    const writers = Array.from({ length: WRITERS }, () => writerOf(dock));
    const all = (round: number, commandOf: (index: number) => CommandRequest) =>
      atOnce(
        round,
        writers.map((writer, index) => () => writer.execute(commandOf(index))),
      );
    for (const round of rounds) {
      await dock.manifest(`C${round}`, 'A');
      const ids = writers.map((_, index) => `${round}-${index}`);
      for (const id of ids) await dock.manifest(`own ${id}`, 'B');
      const created = await all(round, (index) =>
        request('createShipment', {
          identifier: ids[index],
          gateIdentifier: 'G',
          notes: null,
          manifests: references(`own ${ids[index]}`, `C${round}`),
          customFields: [],
        }),
      );
      expect(outcomes(created)).toEqual({ done: 1, manifestsNotAttachable: WRITERS - 1 });
      const identifier = ids[created.findIndex(({ kind }) => kind === 'done')]!;
      const started = await all(round, () =>
        request('changeShipmentStatus', { identifier, status: 'IN_PROGRESS' }),
      );
      expect(outcomes(started)).toEqual({ done: 1, transitionNotAllowed: WRITERS - 1 });

      const scan = {
        scanId: `${round}`,
        markerCode: dock.codes['X'],
        direction: 'LOAD',
        damaged: false,
        scanDate: null,
      };
      const scanned = await all(round, () =>
        request('recordScans', { gateIdentifier: 'G', scans: [{ ...scan, cameraHardwareId: null }] }),
      );
      expect(outcomes(scanned)).toEqual({ done: WRITERS });
      expect(new Set(scanned.map((answer) => JSON.stringify(bodyOf(answer)))).size).toBe(1);
      expect(bodyOf(scanned[0]!)).toMatchObject({ results: [{ outcome: 'WRONGLY_LOADED' }] });
      expect(await read(dock, `/shipment/${identifier}/asset-loading`)).toHaveLength(3);

      const closed = await all(round, (index) =>
        request('changeShipmentStatus', { identifier, status: index % 2 === 0 ? 'COMPLETED' : 'CANCELLED' }),
      );
      expect(outcomes(closed)).toEqual({ done: 1, transitionNotAllowed: WRITERS - 1 });
      const status = closed.findIndex(({ kind }) => kind === 'done') % 2 === 0 ? 'COMPLETED' : 'CANCELLED';
      expect((await read(dock, `/shipment/${identifier}`)).status).toBe(status);
      expect((await read(dock, `/manifest/C${round}`)).manifestStatus).toBe(status);
    }
    expect((await read(dock, '/alert-event')).totalElements).toBe(ROUNDS);
  });
});
