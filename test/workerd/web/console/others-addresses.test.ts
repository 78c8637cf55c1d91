import { expect, it } from 'vitest';
import { newPerson, type Person } from '../../access/session/person.ts';
import { invited, newUser, unchanged } from '../../access/user/users.ts';
import { operator } from '../../client.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';

/** All permissions to see office pages, except for users. */
const OFFICE = ['BACKOFFICE_LOGIN', 'OPERATIONAL_APP_LOGIN', 'AGENT_MANAGEMENT_READ', 'ROLE_MANAGEMENT'];

const SECRETS = ['zoe.quill', 'zoe.second', 'Quillmark', '+31 20 777'];

const dock = await newDock();
await operator('PUT', `/organization/${dock.uuid}/authority/OFFICE`, { permissions: OFFICE });
const [viewer, office, administrator] = [
  await newPerson(dock, 'VIEWER'),
  await newPerson(dock, 'OFFICE'),
  await newPerson(dock, 'ADMINISTRATOR'),
];
await dock.couple('A');
await dock.manifest('M', 'A');
const person = { lastName: 'Quillmark', phoneNumber: '+31 20 777' };
const user = await newUser(dock, invited({ ...person, email: 'zoe.quill@example.com' }));
await dock.must('PUT', `/user/${user.uuid}`, unchanged(user, { email: 'zoe.second@example.com' }));
await dock.must('DELETE', `/user/${user.uuid}`);

/** Reads every page and file that a user can reach by links. */
async function reachable(person: Person): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const paths = ['/app', '/app/audit-log', '/app/audit-log.csv', '/app/search?q=zoe', '/app/search?q=Quillm'];
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    if (texts.has(path) || texts.size > 400 || path.startsWith('/app/logout')) continue;
    const { text, status } = await person.get(path);
    texts.set(path, status === 200 ? text : '');
    const links = [...text.matchAll(/href="(\/app[^"#]*)"/g)].map(([, link]) =>
      link!.replaceAll('&amp;', '&'),
    );
    // One sort order and one page of a list show the same names as the others.
    paths.push(...links.filter((link) => !/sort\.|columns=|pageNumber/.test(link)));
  }
  return texts;
}

const showing = (texts: Map<string, string>): string[] =>
  [...texts].flatMap(([path, text]) =>
    SECRETS.filter((secret) => text.includes(secret)).map((secret) => `${path}: ${secret}`),
  );

it('a user who may not see users finds their names and addresses on no page and in no file', async () => {
  for (const person of [viewer, office]) {
    const texts = await reachable(person);
    expect(texts.size).toBeGreaterThan(20);
    expect(showing(texts)).toEqual([]);
  }
}, 120_000);

it('a user who may see users finds them in the audit log, its file and its records', async () => {
  const seen = showing(await reachable(administrator));
  expect(seen).toEqual(
    expect.arrayContaining([
      '/app/audit-log.csv: zoe.quill',
      '/app/audit-log: zoe.second',
      '/app/audit-log.csv: zoe.second',
    ]),
  );
  expect(seen.some((line) => /^\/app\/audit-log\/[0-9a-f-]{36}: Quillmark$/.test(line))).toBe(true);
}, 120_000);

it('an address that is guessed is neither confirmed nor denied by the filter of the audit log', async () => {
  const found = async (person: Person, address: string) => {
    const { text } = await person.get(`/app/audit-log?entityExternalId=${encodeURIComponent(address)}`);
    return text.includes('/app/audit-log/0');
  };
  expect(await found(administrator, 'zoe.quill@example.com')).toBe(true);
  expect(await found(viewer, 'zoe.quill@example.com')).toBe(false);
  expect(await found(viewer, 'M')).toBe(true);
});
