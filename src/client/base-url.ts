/** Why a text is not an http(s) URL, as the end of a sentence; undefined if it is one. Never contains a password. */
export function httpFault(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) {
    const rest = text.replace(/^(?:https?:|[a-z+.-]*:\/\/)/i, '').replace(/^\/+/, '');
    const example = rest === '' || rest.includes('@') ? 'dispatch.example.com' : rest;
    return `has no scheme. Write https:// or http:// at its beginning, for example https://${example}`;
  }
  if (!URL.canParse(text)) return 'is not a URL. Example: https://dispatch.example.com';
  const { username, password } = new URL(text);
  return username || password ? 'must not have a user name or password' : undefined;
}

/** Quotation marks around a value, which some shells and files of variables keep. */
const QUOTED = /^(["'])(.*)\1$/;

/**
 * The base URL of a service, without blanks and quotation marks around it, invisible characters and slashes at its end.
 * It may have a path, for example behind a proxy. @throws Error if it has no scheme, or a part that requests would not keep
 */
export function baseUrlOf(text: string | URL): string {
  const plain = `${text}`.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim();
  let base = plain.replace(QUOTED, '$2').trim();
  while (base.endsWith('/')) base = base.slice(0, -1);
  const fault = httpFault(base) ?? (/[?#]/.test(base) ? 'must not have a query or a fragment' : undefined);
  if (fault === undefined) return base;
  const shown = /[@?#]/.test(base) ? '' : ` "${base.slice(0, 200)}"`;
  throw new Error(`The base URL${shown} ${fault}.`);
}
