import { quoted } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';

/** Headers that belong to the service or to the connection (RFC 9110 section 7.6.1). */
const OWN_HEADERS = new Set(
  (
    'host content-length content-type content-encoding transfer-encoding connection keep-alive te trailer upgrade ' +
    'proxy-connection proxy-authenticate proxy-authorization expect date user-agent accept-encoding via forwarded'
  ).split(' '),
);

/**
 * Whether a webhook may have a header of this name. It must be a token (RFC 9110 section 5.6.2), and not a header that
 * the service sets.
 */
export function isCustomHeader(name: string): boolean {
  const folded = name.toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(folded) || OWN_HEADERS.has(folded)) return false;
  return !/^(webhook-|cf-|x-forwarded-|sec-)/.test(folded);
}

/** A stored header with its value. */
interface Header {
  name: string;
  value: string;
}

/** The new headers. Headers without a value keep their earlier one. Refuses if a header has no value at all. */
export function keepValues(
  earlier: readonly Header[],
  wanted: { name: string; value: string | null }[],
): Header[] | Refusal {
  const before = new Map(earlier.map(({ name, value }) => [name.toLowerCase(), value]));
  const headers = wanted.map(({ name, value }) => ({ name, value: value ?? before.get(name.toLowerCase()) }));
  const valueless = headers.flatMap(({ name, value }, index) =>
    value === undefined ? [{ name, index }] : [],
  );
  if (valueless.length === 0) return headers as Header[];
  return refusal('validationFailed', 'A new header needs a value.', {
    errors: valueless.map(({ name, index }) => ({
      field: `customHeaders[${index}].value`,
      code: 'validationFailed',
      message: `The header ${quoted(name)} is new and needs a value.`,
    })),
  });
}
