import { planOf, type Statement } from '../statements.ts';

/** Columns that name a kind of row: with the organization they still mean any number of rows. */
const COARSE =
  /^(organization_uuid|\w*status|retirement|flagged|damaged|deleted_date|kind|device_type|alert_type)$/;

/** What takes one row off the end of an index, or a handful, though its plan looks like more. */
const BOUNDED: { text: RegExp; why: string }[] = [
  { text: /FROM audit_log\s.* ORDER BY sequence_number DESC LIMIT 1$/s, why: 'the end of the log' },
  {
    text: /FROM marker_allocation\s.* ORDER BY first_marker_code DESC LIMIT 1/s,
    why: 'the last block before a code',
  },
  {
    text: /FROM authority\s+WHERE organization_uuid = \?\s+ORDER BY authority_name/,
    why: 'the authorities, a few',
  },
];

/**
 * The steps of a statement that walk over an organization or a table: none, other than where a list must. The search for
 * a page and its count may walk over what is listed, once, and over the gates that a filter names: of a deleted gate no
 * index has the name. The rows of the page are found one by one.
 */
export async function walksOf(statement: Statement): Promise<string[]> {
  if (BOUNDED.some(({ text }) => text.test(statement.text))) return [];
  const plan = await planOf(statement);
  const made = new Set(plan.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (.*)$/.exec(step)?.[1] ?? []));
  const walks = plan.filter((step) => isWalk(step, made));
  const [, listed, counted] = LIST.exec(statement.text) ?? [];
  if (listed === undefined && counted === undefined) return walks;
  const paged = counted === undefined ? plan.findIndex((step) => /^SCAN \(subquery/.test(step)) : plan.length;
  const search = plan.slice(0, paged);
  const forgiven = [
    search.find((step) => tableOf(step) === (listed ?? counted) && walks.includes(step)),
    ...search.filter((step) => tableOf(step) === 'gate'),
  ];
  for (const step of forgiven) {
    if (step !== undefined && walks.includes(step)) walks.splice(walks.indexOf(step), 1);
  }
  return walks;
}

/** The statements of a list: a page, or its count. */
const LIST = /\bAS position, "(\w+)"\.uuid AS uuid\s+FROM|^SELECT count\(\*\) AS total FROM (\w+)/;

const tableOf = (step: string): string | undefined => /^(?:SCAN|SEARCH) (\S+)/.exec(step)?.[1];

function isWalk(step: string, made: ReadonlySet<string>): boolean {
  if (/AUTOMATIC/.test(step)) return true;
  if (step.startsWith('SCAN ')) {
    return !/VIRTUAL TABLE|CONSTANT ROW/.test(step) && !made.has(step.slice('SCAN '.length));
  }
  const terms = /^SEARCH .* USING .*\((.*)\)/.exec(step)?.[1];
  if (terms === undefined) return false;
  const narrowing = terms
    .split(' AND ')
    .flatMap((term) => /^(\w+)=\?$/.exec(term)?.[1] ?? [])
    .filter((column) => !COARSE.test(column));
  return narrowing.length === 0;
}
