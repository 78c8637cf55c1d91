/**
 * The text of a migration in a form that D1 accepts. The query API of D1 splits statements at semicolons and does not
 * always recognize comments, quotes and triggers (cloudflare/workers-sdk#4713, #4767 and #15690). The import that
 * `deploy:migrate` uses has no such reports. The text keeps to the simplest form for both.
 */

/** The table in which `wrangler d1 migrations` lists what is applied, as wrangler 4.155 creates it. */
const LEDGER = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/** Matches quoted text, comments with white space around them, and words. */
const TOKEN =
  /(?<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\])|(?<gap>(?:\s|--[^\n]*|\/\*[\s\S]*?\*\/)+)|\w+|./g;
const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * The statements without comments and empty lines, with LF as the only line break, and with `BEGIN` on the line of the
 * trigger that it belongs to. Quoted text is unchanged.
 */
export function rendered(text: string): string {
  const tokens = [...text.matchAll(TOKEN)];
  const parts = tokens.map(({ 0: token, groups }, index) => {
    if (groups!['gap'] === undefined) return token;
    return tokens[index + 1]?.[0].toUpperCase() === 'BEGIN' ? ' ' : gap(token);
  });
  return `${parts.join('').trim()}\n`;
}

/** White space without the comments in it: a line break with the indentation after it, or a space. */
function gap(text: string): string {
  const bare = text.replace(COMMENT, ' ');
  const lineBreak = bare.lastIndexOf('\n');
  return lineBreak === -1 ? ' ' : `\n${bare.slice(lineBreak + 1)}`;
}

/** A migration with its entry in the ledger, in one file, because D1 imports a file as a whole or not at all. */
export const importText = (name: string, text: string): string =>
  `${LEDGER}\n${rendered(text)}INSERT INTO "d1_migrations" (name) VALUES ('${name.replaceAll("'", "''")}');\n`;
