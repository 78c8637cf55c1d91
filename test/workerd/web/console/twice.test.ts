import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import { isOperatorRight } from '../../../../src/web/ui/parts/rights.ts';
import '../../../../src/app.ts';
import { storedState } from '../../../contract/state.ts';
import { newPerson, page, type Shown } from '../../access/session/person.ts';
import { newTenant, ORIGIN } from '../../client.ts';
import { bootstrap } from './operator-person.ts';

/** Form fields that several inputs send. All other fields are sent once. */
const LISTS = new Set([
  ...['/app/webhook create eventTypes', '/app/webhook/:uuid update eventTypes'],
  ...['/app/authority put permissions', '/app/authority/:uuid put permissions'],
  ...['/app/shipment/new create manifest', '/app/shipment/new look manifest'],
  '/app/shipment/new later manifest',
  ...['/app/shipment/:uuid/attach attach manifest', '/app/shipment/:uuid/attach look manifest'],
  '/app/access-token create scopes',
  '/app/settings facts roles',
  '/operator/organization/:uuid/access-token issue scopes',
  '/operator/operator create scopes',
]);
const isList = (form: string, name: string): boolean => name === 'row' || LISTS.has(`${form} ${name}`);

/** Fields that every form may have. */
const COMMON = ['token', 'key', 'action', 'owner', 'madeBy', 'turn', 'confirmed', 'why', 'whyNote'];

const forms = PAGES.flatMap(({ path, right, actions = {} }) =>
  Object.entries(actions).map(([action, { form }]) => ({ path, right, action, form })),
);

/** Form fields that are converted to fields of the body. */
const MADE = ['fieldKey0', 'fieldType0', 'role0', 'headerValues', 'names', 'days', 'gate', 'kind', 'here'];

/** Returns the members of the object that a schema reads. */
function shapeOf(form: z.ZodType): Record<string, unknown> {
  const { shape, def } = form as z.ZodObject & {
    def: { out?: z.ZodType; left?: z.ZodType; right?: z.ZodType };
  };
  if (shape) return shape;
  return Object.assign({}, ...[def.out, def.left, def.right].map((part) => (part ? shapeOf(part) : {})));
}

const namesOf = (form: z.ZodType): string[] => [
  ...new Set([...Object.keys(shapeOf(form)), ...('shape' in form ? [] : MADE)]),
];

/** Whether a form ignores a field, and so accepts any value of it. */
function isIgnored(form: z.ZodType, name: string): boolean {
  if (isStrict(form)) return false;
  const field = shapeOf(form)[name] as z.ZodOptional | undefined;
  return field === undefined || (field.def.innerType as z.ZodType | undefined)?.type === 'unknown';
}

/** Whether a form refuses every repeated field. */
const isStrict = (form: z.ZodType): boolean =>
  form.safeParse({ surprise: ['a', 'b'] }).error?.issues.some(({ path }) => path[0] === 'surprise') === true;
const tenant = await newTenant({ dispatchStrategy: 'SHIPMENT', clientFeatureEnabled: true, sandbox: true });
const person = await newPerson(tenant);
await person.token();
const staff = await bootstrap();

const pathOf = (pattern: string): string =>
  pattern.replace(':uuid', tenant.uuid).replace(':code', '1').replace(':token', 'nonsense');

/** Sends a form with every field once, and the given fields twice. */
async function sendTwice(form: (typeof forms)[number], name: string): Promise<Shown> {
  const { path, right, action } = form;
  const isGuest = right === 'guest';
  const token = isGuest ? undefined : await (isOperatorRight(right) ? staff : person).token();
  const fields = new URLSearchParams({ action, ...(token ? { token } : {}) });
  const value = fields.get(name) ?? 'a';
  fields.set(name, value);
  fields.append(name, value);
  const cookie = isOperatorRight(right) ? `operator=${staff.cookie}` : `session=${person.session}`;
  const headers = { Cookie: cookie, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' };
  return page('POST', pathOf(path), { fields, headers: isGuest ? {} : headers });
}

describe('a field that a form has once', () => {
  it('the test knows all forms', () => expect(forms.length).toBeGreaterThan(90));

  it.each([
    ['/app/settings', 'change', 'fieldKey0'],
    ['/operator/organization', 'create', 'fieldKey0'],
    ['/operator/organization/:uuid', 'change', 'fieldKey0'],
    ['/app/webhook', 'create', 'headerValues'],
    ['/app/webhook/:uuid', 'update', 'headerValues'],
    ['/app/shipment/new', 'create', 'names'],
    ['/app/access-token', 'create', 'days'],
  ])('a field that is sent twice is named where %s %s builds a body of lines: %s', (path, action, name) => {
    const { form } = forms.find((known) => known.path === path && known.action === action)!;
    const { error } = form.safeParse({ [name]: ['a', 'b'] });
    expect(error!.issues).toEqual([
      { code: 'custom', path: [name], message: 'This field was sent more than once.' },
    ]);
  });

  it.each(forms)('$path $action refuses a field that is sent twice and changes nothing', async (form) => {
    if (form.path.endsWith('/logout')) return;
    const before = await storedState(tenant);
    const known = `${form.path} ${form.action}`;
    for (const name of [...namesOf(form.form), ...COMMON]) {
      if (isIgnored(form.form, name)) continue;
      const { status, text } = await sendTwice(form, name);
      // A page of a missing thing may answer 404 before it reads the form.
      const refused = form.path.includes(':') ? [400, 404] : [400];
      if (isList(known, name)) expect([known, name, status < 500]).toEqual([known, name, true]);
      else expect([known, name, refused.includes(status) || [status, text]]).toEqual([known, name, true]);
    }
    expect(await storedState(tenant)).toEqual(before);
  });

  it.each(forms)(
    'the refusal of $path $action names a field that is sent twice',
    ({ path, action, form }) => {
      for (const name of namesOf(form)) {
        if (isIgnored(form, name)) continue;
        const { success, error } = form.safeParse({ [name]: ['a', 'b'] });
        if (isList(`${path} ${action}`, name)) continue;
        expect([name, success, error?.issues.some((issue) => issue.path[0] === name)]).toEqual([
          name,
          false,
          true,
        ]);
      }
    },
  );
});
