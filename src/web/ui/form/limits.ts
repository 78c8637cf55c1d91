import { z } from '@hono/zod-openapi';
import { largest } from '../../../core/lib/extremes.ts';

/** The attributes of an input that limit its value. */
export interface Limits {
  required: boolean;
  /** The longest text in characters. */
  maxlength?: number | undefined;
  /** The smallest and the largest number. */
  min?: number | undefined;
  max?: number | undefined;
  /** The values to choose from. */
  choices: readonly string[];
}

/** The limits of an input without a schema. */
const NO_LIMITS: Limits = { required: false, choices: [] };

/** The forms of a page: the actions that it receives, and its query. */
interface DeclaredForms {
  path: string;
  query?: z.ZodType;
  actions?: Readonly<Record<string, { form: z.ZodType }>>;
}

const byPath = new Map<string, DeclaredForms>();
const byPattern: { pattern: RegExp; page: DeclaredForms }[] = [];

/** Make the forms of a page known to the inputs of all pages. A form may send to another page than its own. */
export function declareForms(page: DeclaredForms): void {
  if (!page.path.includes(':')) byPath.set(page.path, page);
  else byPattern.push({ pattern: new RegExp(`^${page.path.replace(/:\w+/g, '[^/]+')}$`), page });
}

/** The pages that may be at an address, the most likely one first. */
function pagesAt(address: string): DeclaredForms[] {
  const path = address.replace(/[?#].*/s, '');
  const exact = byPath.get(path);
  const others = byPattern.filter(({ pattern }) => pattern.test(path)).map(({ page }) => page);
  return exact ? [exact, ...others] : others;
}

/** The schema of the form that sends an action to an address; undefined if no page there has it. */
export const schemaOf = (address: string, action: string): z.ZodType | undefined =>
  pagesAt(address).flatMap(({ actions = {} }) =>
    Object.hasOwn(actions, action) ? actions[action]!.form : [],
  )[0];

/** The limits of an input in a form that searches: a member of the query at an address. */
export const queryLimits = (address: string, name: string): Limits =>
  limitsOf(pagesAt(address).find(({ query }) => query !== undefined)?.query, name);

/** A part of a JSON schema. */
type Part = z.core.JSONSchema.JSONSchema;

const read = new WeakMap<z.ZodType, { whole: Part; members: Map<string, Limits> }>();

/** The limits of a member of a schema, at any depth. */
export function limitsOf(schema: z.ZodType | undefined, member: string): Limits {
  if (schema === undefined) return NO_LIMITS;
  let known = read.get(schema);
  if (known === undefined) {
    known = { whole: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), members: new Map() };
    read.set(schema, known);
  }
  let limits = known.members.get(member);
  if (limits === undefined) {
    limits = { ...limitsIn(known.whole, member), required: isRefusedBlank(schema, member) };
    known.members.set(member, limits);
  }
  return limits;
}

/** Whether a form is refused if the input is blank. */
const isRefusedBlank = (schema: z.ZodType, member: string): boolean =>
  schema.safeParse({ [member]: '' }).error?.issues.some(({ path }) => path.at(-1) === member) ?? false;

function limitsIn(whole: Part, member: string): Omit<Limits, 'required'> {
  const parts = membersOf(whole, member).flatMap(alternativesOf).filter(isLimiting);
  const lengths = parts.map(lengthOf).filter((length) => length !== undefined);
  const numbers = parts.filter(({ type }) => type === 'integer' || type === 'number');
  const isNumber = numbers.length > 0 && numbers.length === parts.length;
  return {
    maxlength: parts.length > 0 && lengths.length === parts.length ? largest(lengths) : undefined,
    min: isNumber ? bound(numbers[0]!.minimum) : undefined,
    max: isNumber ? bound(numbers[0]!.maximum) : undefined,
    choices: [
      ...new Set(
        parts.flatMap(({ enum: values = [], items }) => [
          ...values.map(String),
          ...((items as Part | undefined)?.enum ?? []).map(String),
        ]),
      ),
    ],
  };
}

/** Whether a part says anything: bodies accept and ignore members that only responses have. */
const isLimiting = ({ type, const: only }: Part): boolean => type !== undefined || only !== undefined;

/** The longest value of a part in characters; undefined without a limit. */
const lengthOf = ({ type, format, maxLength, enum: values }: Part): number | undefined =>
  type !== 'string' || values ? undefined : (maxLength ?? (format === 'uuid' ? UUID_LENGTH : undefined));

const UUID_LENGTH = 36;

/** A bound of a number. Every integer has the bounds of safe integers, which say nothing to a person. */
const bound = (value: number | undefined): number | undefined =>
  value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value;

/** The members of this name: of the part itself, or else of its parts. */
function membersOf(part: Part, name: string): Part[] {
  const own = part.properties?.[name];
  if (typeof own === 'object') return [own];
  const inner = [
    ...Object.values(part.properties ?? {}),
    ...(part.anyOf ?? []),
    ...(part.oneOf ?? []),
    ...(part.allOf ?? []),
    part.items,
  ];
  return inner.flatMap((one) => (typeof one === 'object' && !Array.isArray(one) ? membersOf(one, name) : []));
}

/** The kinds of values that a part allows, without null: a form sends no null. */
const alternativesOf = (part: Part): Part[] =>
  part.anyOf || part.allOf
    ? (part.anyOf ?? part.allOf)!.flatMap((one) => (typeof one === 'object' ? alternativesOf(one) : []))
    : part.type === 'null'
      ? []
      : Array.isArray(part.type)
        ? [{ ...part, type: part.type.find((type) => type !== 'null')! }]
        : [part];
