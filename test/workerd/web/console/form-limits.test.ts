import { beforeAll, describe, expect, it } from 'vitest';
import { toJSONSchema, type z } from 'zod';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import { isOperatorRight } from '../../../../src/web/ui/parts/rights.ts';
import '../../../../src/app.ts';
import { newPerson, page } from '../../access/session/person.ts';
import { newTenant } from '../../client.ts';
import { everyPage } from './every-page.ts';

/** An input of a form that sends an action. */
interface Input {
  /** The path of the page that receives the form, and the action. */
  form: string;
  schema: z.ZodType;
  name: string;
  type: string;
  attributes: ReadonlyMap<string, string>;
  /** The values that a choice offers. */
  offered: readonly string[];
}

/** Members of the schema that have another name than their input. */
const MEMBERS: [form: RegExp, input: RegExp, member: string][] = [
  [/./, /^field\./, 'fieldValue'],
  [/./, /^(fieldKey|fieldType|role)\d+$/, ''],
];

const memberOf = ({ form, name }: Input): string => {
  const [, , member] = MEMBERS.find(([of, input]) => of.test(form) && input.test(name)) ?? [];
  return member === '' ? name.replace(/\d+$/, '') : (member ?? name);
};

/** The faults of an input with a value, whatever the other inputs are. */
const faultsOf = (input: Input, value: string): string =>
  JSON.stringify(
    input.schema
      // The lines of a form count only if it has the first one.
      .safeParse({ fieldKey0: '', [input.name]: value })
      .error?.issues.filter(({ path }) => path.at(-1) === memberOf(input))
      .map(({ message }) => message) ?? [],
  );
const isRefused = (input: Input, value: string): boolean => faultsOf(input, value) !== '[]';

const unescaped = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as 'lt'] ?? "'",
  );

const attributesOf = (tag: string): Map<string, string> =>
  new Map(
    [...tag.matchAll(/ ([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value = '']) => [name!, unescaped(value)]),
  );

/** The texts that a form takes, without choices and uuids. */
function textsOf(form: z.ZodType): string[] {
  const { properties = {} } = toJSONSchema(form, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).flatMap(([name, part]) =>
    typeof part === 'object' && part.type === 'string' && !part.enum && !part.const && part.format !== 'uuid'
      ? [name]
      : [],
  );
}

/** The page that receives a form. */
const pageAt = (address: string, action: string) =>
  PAGES.find(
    ({ path, actions = {} }) =>
      new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(address.replace(/\?.*/, '')) &&
      action in actions,
  );

/** The inputs of the forms of a page that send an action. */
function inputsOf(html: string): Input[] {
  return [...html.matchAll(/<form method="post"([^>]*)>(.*?)<\/form>/gs)].flatMap(([, opening, body]) => {
    const to = attributesOf(opening!).get('action')!;
    const own = /<input type="hidden" name="action" value="([^"]+)"/.exec(body!)?.[1];
    return [
      ...body!.matchAll(/<(input|textarea|select)\b([^>]*)>((?<=<select[^>]*>).*?(?=<\/select>))?/gs),
    ].flatMap(({ 1: element, 2: tag, 3: inner = '', index }) => {
      const attributes = attributesOf(tag!);
      const name = attributes.get('name');
      const type = element === 'input' ? (attributes.get('type') ?? 'text') : element!;
      // In a form with several actions, a button names the action. One that skips the checks belongs to other inputs.
      const buttons = [...body!.slice(index).matchAll(/<button[^>]* name="action" value="([^"]+)"[^>]*>/g)];
      const button =
        buttons.find(([tag]) => name === 'find' || !tag.includes('formnovalidate')) ?? buttons[0];
      const action = own ?? button?.[1];
      const page = action && pageAt(to, action);
      if (type === 'hidden' || name === undefined || !page) return [];
      const options = [...inner.matchAll(/<option([^>]*)>([^<]*)/g)];
      const offered =
        element === 'select'
          ? options.map(([, option, label]) => attributesOf(option!).get('value') ?? unescaped(label!))
          : [attributes.get('value') ?? ''];
      const schema = page.actions![action]!.form;
      return [{ form: `${page.path} ${action}`, schema, name, type, attributes, offered }];
    });
  });
}

/**
 * Inputs that a person must fill in although their schema allows a blank one: the answer to a wrong password is the same
 * as to none, and a blank number is zero or leaves the setting unchanged.
 */
const NEEDED = [
  ...['email', 'organization', 'password'].map((name) => `/app/login default ${name}`),
  ...['currentPassword', 'password', 'passwordAgain'].map((name) => `/app/password change ${name}`),
  ...['email', 'organization'].map((name) => `/app/recover forgot ${name}`),
  '/app/recover find email',
  ...['loadPallets', 'wrongPallets', 'unknownMarkers', 'paceMilliseconds'].map(
    (name) => `/app/simulation play ${name}`,
  ),
  '/operator/login default secret',
  ...['deviceOfflineAfterSeconds', 'markerAllocationMaximum', 'markerCodeStart', 'requestsPerMinute'].map(
    (name) => `/operator/organization/:uuid change ${name}`,
  ),
].sort();

/** Texts whose form limits each line, or the whole form. */
const LINES = [
  '/app/manifest/new create pallets',
  '/app/shipment/:uuid/attach attach names',
  '/app/shipment/new create names',
  '/app/webhook create headerValues',
  '/app/webhook/:uuid update headerValues',
];

/** Inputs that no form reads, or that hold a number or one word. */
const UNLIMITED = ['/app/password change username', '/app/simulation play loadPallets'];

/** Members that a page or a script fills in. */
const HIDDEN =
  /(saveView query|thing|of|scanId|strokes|next|credential|was|fieldKey|photo|databaseName|authorityName|trackIdentifier|sheets?|sheetWas|book|create (hidden|isFiltered)|mark q|move shipment)$/;

/** Inputs that this test does not open. */
const UNSEEN = [
  // They need a passkey, a saved view, or the link of an invitation.
  /^\/app\/account (add|rename)Passkey name$/,
  / renameView name$/,
  /^\/app\/invite\/:token default password/,
  // They are in a question.
  / complete (seal|signerName|vehicle)$/,
  /^\/app\/manifest\/new create (column|orderColumn|shipmentColumn|badLines|sheetAt|hiddenRows|grow|fill)$/,
  // They need a load that has left with missing pallets, or that has a carrier, a departure or an arrival.
  / backorder externalIdentifier$/,
  /^\/app\/shipment (carriers carrier|departures departure)$/,
  /^\/app\/shipment\/:uuid (changeArrival (arrivalDate|driverName)|later fieldValue)$/,
  /^\/app\/today move departure$/,
  // The page of the gate has the same inputs. A search sends the same input with three actions.
  /^\/app\/gate\/:uuid\/scan /,
  /^\/app\/shipment\/new later find$/,
];

let inputs: Input[];

beforeAll(async () => {
  const { paths, person, staff, world } = await everyPage();
  const texts: string[] = [];
  for (const { path, right } of PAGES) {
    const at = paths.get(path) ?? path;
    if (/\.(csv|xlsx|pdf|zpl)$|logout$/.test(path)) continue;
    const shown =
      right === 'guest' ? page('GET', at) : isOperatorRight(right) ? staff.get(at) : person.get(at);
    texts.push((await shown).text);
    if (right !== 'guest')
      texts.push((await (isOperatorRight(right) ? staff : person).get(`${at}?q=x`)).text);
  }
  // Some forms exist only before the first gate, for a worker or a tablet, or when an organization is suspended.
  const newcomer = await newPerson(await newTenant());
  texts.push((await newcomer.get('/app')).text);
  await newcomer.post('/app', 'gates', { prefix: 'Dock', count: '1' });
  await person.post('/app/gate-worker', 'create', { name: 'Kim', workerSecret: 'badge 81-72' });
  texts.push((await person.get('/app/gate-worker')).text);
  const tablets = paths.get('/app/gate/:uuid/tablets')!;
  await person.post(tablets, 'pair', { name: 'Tablet' });
  texts.push((await person.get(tablets)).text);
  const organization = `/operator/organization/${world.tenant.uuid}`;
  await staff.agree(organization, 'suspend');
  texts.push((await staff.get(organization)).text);
  inputs = texts.flatMap(inputsOf);
}, 90_000);

const isText = ({ type }: Input): boolean => /^(text|url|search|tel|textarea)$/.test(type);
const named = ({ form, name }: Input): string => `${form} ${name}`;
/** The names of inputs, each once and without the number of a line. */
const names = (found: readonly Input[]): string[] =>
  [...new Set(found.map((input) => named(input).replace(/\d+$/, '')))].sort();

describe('the inputs of every form', () => {
  it('the test sees the inputs of most forms', () => {
    expect(new Set(inputs.map(({ form }) => form)).size).toBeGreaterThan(75);
    const seen = new Set(inputs.map((input) => `${input.form} ${memberOf(input)}`));
    const texts = PAGES.flatMap(({ path, actions = {} }) =>
      Object.entries(actions).flatMap(([action, { form }]) =>
        textsOf(form).map((member) => `${path} ${action} ${member}`),
      ),
    );
    const unseen = texts.filter((text) => !seen.has(text) && !HIDDEN.test(text));
    expect(unseen.filter((text) => !UNSEEN.some((known) => known.test(text)))).toEqual([]);
    expect(UNSEEN.filter((known) => !unseen.some((text) => known.test(text)))).toEqual([]);
  });

  it('an input takes a text that is exactly as long as its form allows', () => {
    const limited = inputs.filter(({ attributes }) => attributes.has('maxlength'));
    expect(limited.length).toBeGreaterThan(100);
    const others = limited.filter((input) => {
      const most = Number(input.attributes.get('maxlength'));
      return faultsOf(input, 'x'.repeat(most)) === faultsOf(input, 'x'.repeat(most + 1));
    });
    // A text that is no GLN is refused at any length.
    expect(names(others)).toEqual(['/app/gate create gln', '/app/gate/:uuid/settings update gln']);
  });

  it('every text has a limit', () => {
    const unlimited = inputs.filter((input) => isText(input) && !input.attributes.has('maxlength'));
    expect(names(unlimited)).toEqual([...LINES, ...UNLIMITED].sort());
    for (const input of inputs.filter(({ type }) => type === 'password')) {
      expect([named(input), isRefused(input, 'x'.repeat(5_000))]).toEqual([named(input), true]);
    }
  });

  it('an input must be filled in if its form is refused without it', () => {
    const isNeeded = ({ attributes }: Input): boolean => attributes.has('required');
    const asked = inputs.filter(
      ({ type, offered }) => !/checkbox|radio/.test(type) && (type !== 'select' || offered.includes('')),
    );
    expect(asked.filter(isNeeded).length).toBeGreaterThan(50);
    expect(names(asked.filter((input) => isRefused(input, '') && !isNeeded(input)))).toEqual([]);
    expect(names(asked.filter((input) => !isRefused(input, '') && isNeeded(input)))).toEqual(NEEDED);
  });

  it('a number has the bounds of its form', () => {
    const numbers = inputs.filter(({ type }) => type === 'number');
    const bounds = numbers.flatMap((input) =>
      [['min', -1] as const, ['max', 1] as const].flatMap(([name, step]) => {
        const bound = input.attributes.get(name);
        return bound === undefined ? [] : [{ input, bound: Number(bound), next: Number(bound) + step }];
      }),
    );
    expect(bounds.length).toBeGreaterThan(15);
    for (const { input, bound, next } of bounds) {
      const refused = [isRefused(input, `${bound}`), isRefused(input, `${next}`)];
      expect([named(input), bound, ...refused]).toEqual([named(input), bound, false, true]);
    }
    const unbounded = numbers.filter(({ attributes }) => !attributes.has('max'));
    for (const input of unbounded)
      expect([named(input), isRefused(input, '1000000000')]).toEqual([named(input), false]);
  });

  it('a choice offers only values that its form accepts', () => {
    const choices = inputs.filter(({ type }) => /select|checkbox|radio/.test(type));
    expect(choices.length).toBeGreaterThan(80);
    const wrong = choices.flatMap((input) =>
      input.offered
        .filter((value) => isRefused(input, value) && !(value === '' && input.attributes.has('required')))
        .map((value) => `${named(input)} ${value}`),
    );
    expect(wrong).toEqual([]);
  });
});
