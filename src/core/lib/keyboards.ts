/**
 * Keyboard layouts. A scanner presses the keys of a US keyboard, and a device with another layout types other
 * characters for them.
 */

/** The characters of keys with signs and digits, without shift and with shift. Then the letters that layouts move. */
const US = '`1234567890-=[]\\;\',./~!@#$%^&*()_+{}|:"<>?qwazymQWAZYM';

/** The characters of the same keys in other layouts. A blank is a key without a character. */
const LAYOUTS = {
  french: '²&é"\'(-è_çà)=^$*mù;:! 1234567890°+¨£µM%./§azqwy,AZQWY?',
  belgian: '²&é"\'(§è!çà)-^$µmù;:=³1234567890°_¨*£M%./+azqwy,AZQWY?',
  german: '^1234567890ß´ü+#öä,.-°!"§$%&/()=?`Ü*\'ÖÄ;:_qwayzmQWAYZM',
  swissGerman: '§1234567890\'^ü¨$öä,.-°+"*ç%&/()=?`è!£éà;:_qwayzmQWAYZM',
  swissFrench: '§1234567890\'^è¨$éà,.-°+"*ç%&/()=?`ü!£öä;:_qwayzmQWAYZM',
} as const;

export type Layout = keyof typeof LAYOUTS;

/** The number of keys with two characters in `US`, before the letters. */
const SIGN_KEYS = 21;
/** The layouts in which Caps Lock also shifts the keys with signs and digits. */
const SHIFTED_BY_CAPS: readonly Layout[] = ['french', 'belgian', 'german'];

/** The characters of `US` with the other state of the shift key. */
const SHIFTED = [
  ...US.slice(SIGN_KEYS, 2 * SIGN_KEYS),
  ...US.slice(0, SIGN_KEYS),
  ...[...US.slice(2 * SIGN_KEYS)].map(inOtherCase),
];

const KEYS = Object.entries(LAYOUTS).flatMap(([name, typed]) => {
  const layout = name as Layout;
  const keysTo = (characters: ArrayLike<string>) =>
    new Map(
      [...typed].flatMap((character, key) => (character === ' ' ? [] : [[character, characters[key]!]])),
    );
  const plain = { layout, keys: keysTo(US), isCaps: false };
  return SHIFTED_BY_CAPS.includes(layout)
    ? [plain, { layout, keys: keysTo(SHIFTED), isCaps: true }]
    : [plain];
});

function inOtherCase(letter: string): string {
  const upper = letter.toUpperCase();
  return letter === upper ? letter.toLowerCase() : upper;
}

/** Characters of ordinary identifiers. If a layout moves only these, nothing shows that it did. */
const ORDINARY = /^[A-Za-z0-9 ._/-]$/;

/** A text as a US keyboard types it. */
export interface Undone {
  layout: Layout;
  text: string;
  /** Whether the typed text has characters that are unusual in identifiers, so it is hardly right as it is. */
  isEvident: boolean;
}

/** The texts that a scanner may have meant: each layout that changes the typed text, without and with Caps Lock. */
export function undoLayouts(typed: string): Undone[] {
  // ¨ waits for the next letter, and some systems then combine both.
  const characters = [...typed.normalize('NFC').replaceAll('ë', '¨e').replaceAll('Ë', '¨E')];
  return KEYS.flatMap(({ layout, keys, isCaps }) => {
    const meant = (character: string) =>
      keys.get(character) ?? (isCaps && /[a-z]/i.test(character) ? inOtherCase(character) : character);
    const moved = characters.filter((character) => (keys.get(character) ?? character) !== character);
    if (moved.length === 0) return [];
    const text = characters.map(meant).join('');
    return [{ layout, text, isEvident: moved.some((character) => !ORDINARY.test(character)) }];
  });
}
