/** The code that equals a text; undefined if none does. */
export const codeAmong = <T extends string>(codes: readonly T[], text: string): T | undefined =>
  codes.find((code) => code === text);

/** A text in words if it is one of these codes. Any other text stays as it is. */
export function wordsAmong<T extends string>(
  codes: readonly T[],
  text: string,
  say: (code: T) => string,
): string {
  const code = codeAmong(codes, text);
  return code === undefined ? text : say(code);
}
