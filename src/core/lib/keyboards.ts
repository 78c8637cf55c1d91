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

const KEYS = Object.entries(LAYOUTS).map(([layout, typed]) => ({
  layout: layout as Layout,
  keys: new Map(
    [...typed].flatMap((character, key) => (character === ' ' ? [] : [[character, US[key]!] as const])),
  ),
}));

/** Characters of ordinary identifiers. If a layout moves only these, nothing shows that it did. */
const ORDINARY = /^[A-Za-z0-9 ._/-]$/;

/** A text as a US keyboard types it. */
export interface Undone {
  layout: Layout;
  text: string;
  /** Whether the typed text has characters that are unusual in identifiers, so it is hardly right as it is. */
  isEvident: boolean;
}

/** The texts that a scanner may have meant, one for each layout that changes the typed text. */
export function undoLayouts(typed: string): Undone[] {
  // ¨ waits for the next letter, and some systems then combine both.
  const characters = [...typed.normalize('NFC').replaceAll('ë', '¨e').replaceAll('Ë', '¨E')];
  return KEYS.flatMap(({ layout, keys }) => {
    const moved = characters.filter((character) => (keys.get(character) ?? character) !== character);
    if (moved.length === 0) return [];
    const text = characters.map((character) => keys.get(character) ?? character).join('');
    return [{ layout, text, isEvident: moved.some((character) => !ORDINARY.test(character)) }];
  });
}
