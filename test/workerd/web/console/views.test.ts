import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { VIEWS_MAXIMUM } from '../../../../src/access/saved-view/store.ts';
import { newPerson, type Person } from '../../access/session/person.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';

const dock = await newDock();
const person = await newPerson(dock, 'ADMINISTRATOR');

/** The links of the views on a list, by their names. */
async function viewsOf(who: Person, list = '/app/shipment'): Promise<Record<string, string>> {
  const { text } = await who.get(list);
  const [, tabs = ''] = /<nav class="views"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
  const found = [...tabs.matchAll(/<a href="([^"]+)"[^>]*>([^<]*)/g)];
  return Object.fromEntries(found.map(([, href, name]) => [name!, href!.replaceAll('&amp;', '&')]));
}

const save = (who: Person, name: string, query = 'gate=G', list = '/app/shipment') =>
  who.post(list, 'saveView', { name, query });

/** The uuid in the forms of a view's page. */
async function uuidOf(who: Person, href: string): Promise<string> {
  return /name="view" value="([^"]+)"/.exec((await who.get(href)).text)![1]!;
}

describe('a view of a list', () => {
  it('a view of a list is saved, shown, renamed and deleted, each in the log', async () => {
    const saved = await save(person, 'Cold store', 'gate=G&status=&pageNumber=3&find=x');
    expect([saved.status, saved.headers.get('Location')]).toEqual([303, '/app/shipment?find=x&gate=G']);
    const views = await viewsOf(person);
    expect(views['Cold store']).toBe('/app/shipment?find=x&gate=G');
    expect((await viewsOf(person, '/app/manifest'))['Cold store']).toBeUndefined();
    const view = await uuidOf(person, views['Cold store']!);
    await person.post('/app/shipment', 'renameView', { view, name: 'Cold' });
    expect(Object.keys(await viewsOf(person))).toContain('Cold');
    await person.post('/app/shipment', 'deleteView', { view });
    expect(Object.keys(await viewsOf(person))).not.toContain('Cold');
    const { body } = await dock.must('GET', `/audit-log?entityUuid=${person.uuid}&actorType=USER`);
    const records = body.content.filter(({ action }: { action: string }) => action.startsWith('VIEW_'));
    expect(records.map(({ action }: { action: string }) => action)).toEqual([
      'VIEW_DELETED',
      'VIEW_RENAMED',
      'VIEW_SAVED',
    ]);
    expect(records[1].changes).toEqual([
      { field: 'savedViews /app/shipment', oldValue: 'Cold store', newValue: 'Cold' },
    ]);
  });

  it('a view belongs to its user: no other user sees, renames or deletes it', async () => {
    const other = await newPerson(dock, 'ADMINISTRATOR');
    await save(person, 'Mine');
    const view = await uuidOf(person, '/app/shipment?gate=G');
    expect(Object.keys(await viewsOf(other))).not.toContain('Mine');
    expect((await other.post('/app/shipment', 'renameView', { view, name: 'Yours' })).status).toBe(404);
    expect((await other.post('/app/shipment', 'deleteView', { view })).status).toBe(404);
    // A form of another list cannot delete it either.
    expect((await person.post('/app/manifest', 'deleteView', { view })).status).toBe(404);
    expect(Object.keys(await viewsOf(person))).toContain('Mine');
  });

  it('a view has a unique name and valid filters, and a user has a limited number', async () => {
    const user = await newPerson(dock, 'ADMINISTRATOR');
    expect((await save(user, 'A')).status).toBe(303);
    expect((await save(user, 'A', 'gate=H')).status).toBe(400);
    expect((await save(user, 'B', 'status=NO')).status).toBe(400);
    expect((await save(user, 'a'.repeat(41))).status).toBe(400);
    expect((await save(user, '')).status).toBe(400);
    expect((await save(user, 'B', `gate=${'G'.repeat(1_001)}`)).status).toBe(400);
    for (let index = 1; index < VIEWS_MAXIMUM; index += 1) {
      expect((await save(user, `V${index}`, `gate=${index}`)).status).toBe(303);
    }
    const { status, text } = await save(user, 'One more', 'gate=more');
    expect([status, text.includes(`You have ${VIEWS_MAXIMUM} views of this list`)]).toEqual([400, true]);
    expect((await save(user, 'Elsewhere', 'gateExternalId=G', '/app/manifest')).status).toBe(303);
  });

  it('a view is deleted when its user is erased', async () => {
    const user = await newPerson(dock, 'ADMINISTRATOR');
    await save(user, 'Last');
    const left = async () => (await rowsOf(user.uuid)).length;
    expect(await left()).toBe(1);
    await dock.must('DELETE', `/user/${user.uuid}?erase=true`);
    expect(await left()).toBe(0);
  });
});

it('a list with views and counts is read in one round trip besides the session', async () => {
  const reader = await newPerson(await newDock(), 'ADMINISTRATOR');
  const trips = await recorded(async () => expect((await reader.get('/app/shipment')).status).toBe(200));
  expect(trips).toHaveLength(1);
});

const db = (env as unknown as { DB: D1Database }).DB;
const rowsOf = async (userUuid: string): Promise<unknown[]> =>
  (await db.prepare('SELECT * FROM saved_view WHERE user_uuid = ?1').bind(userUuid).all()).results;
