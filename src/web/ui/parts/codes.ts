/** The code that equals a text; undefined if none does. */
export const codeAmong = <T extends string>(codes: readonly T[], text: string): T | undefined =>
  codes.find((code) => code === text);

/** Say a code in words. Any other text is returned unchanged. */
export function wordsAmong<T extends string>(
  codes: readonly T[],
  text: string,
  say: (code: T) => string,
): string {
  const code = codeAmong(codes, text);
  return code === undefined ? text : say(code);
}
