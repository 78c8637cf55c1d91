import { beforeAll, expect, it } from 'vitest';
import { call } from '../../client.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';

/** The statuses of a track in the guide, each with the statuses that may follow it. */
let shown: Record<string, string[]>;

beforeAll(async () => {
  const { body } = await call('GET', '/docs/concepts', { headers: { Accept: 'text/html' } });
  const [, section] = /<h2 id="states-of-a-track">(.*?)<h2/s.exec(
    new TextDecoder().decode(body).replaceAll('<wbr>', ''),
  )!;
  shown = Object.fromEntries(
    [...section!.matchAll(/<td>([A-Z_]+)<\/td>\s*<td>.*?<\/td>\s*<td>(.*?)<\/td>/gs)].map(
      ([, status, next]) => [status!, next!.split(', ')],
    ),
  );
});

/** Actions that can change the status of a track. */
const ACTIONS: Record<string, (dock: Dock) => Promise<unknown>> = {
  flag: (dock) => dock.must('PATCH', '/track/A/flag', {}),
  unflag: (dock) => dock.must('PATCH', '/track/A/unflag'),
  retire: (dock) => dock.must('PATCH', '/track/A/retire'),
  'retire by force': (dock) => dock.must('PATCH', '/track/A/retire?force=true'),
  revert: (dock) => dock.must('PATCH', '/track/A/revert-retirement'),
  'close the manifest': (dock) => dock.must('POST', '/manifest/M/status/CANCELLED'),
};

/** How a new track on an open manifest gets each status. */
const WAYS: Record<string, string[]> = {
  ACTIVE: [],
  FLAGGED: ['flag'],
  SCHEDULED_FOR_RETIREMENT: ['retire'],
  NOT_ACTIVE: ['retire by force'],
};

it('the guide shows the changes of status that a track can have', async () => {
  expect(Object.keys(shown).toSorted()).toEqual(Object.keys(WAYS).toSorted());
  for (const [status, way] of Object.entries(WAYS)) {
    const seen = new Set<string>();
    for (const action of Object.values(ACTIONS)) {
      const dock = await newDock({ dispatchStrategy: 'MANIFEST' });
      await dock.couple('A');
      await dock.manifest('M', 'A');
      const statusNow = async () => (await dock.must('GET', '/track/A')).body.trackStatus;
      for (const step of way) await ACTIONS[step]!(dock);
      expect(await statusNow()).toBe(status);
      await action(dock);
      seen.add(await statusNow());
    }
    seen.delete(status);
    expect([status, [...seen].toSorted()]).toEqual([status, shown[status]!.toSorted()]);
  }
});
