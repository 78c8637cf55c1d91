/**
 * Keyboard layouts. A scanner presses the keys of a US keyboard, and a device with another layout types other
 * characters for them.
 */

/** The characters of keys with signs and digits: without shift, and then with shift. */
const US = '`1234567890-=[]\\;\',./~!@#$%^&*()_+{}|:"<>?';

/**
 * A layout. `signs` are the characters of the keys of `US`. A blank is a key without a character. `letters` are the
 * keys of letters with another character: first as on a US keyboard, then as in this layout.
 */
interface Keys {
  signs: string;
  letters: readonly [us: string, typed: string];
  /** Whether Caps Lock also shifts the keys with signs and digits. */
  isShiftedByCaps?: true;
}

const AZERTY = ['qwazmQWAZM', 'azqw,AZQW?'] as const;
const QWERTZ = ['yzYZ', 'zyZY'] as const;

const LAYOUTS = {
  french: {
    signs: '²&é"\'(-è_çà)=^$*mù;:! 1234567890°+¨£µM%./§',
    letters: AZERTY,
    isShiftedByCaps: true,
  },
  belgian: {
    signs: '²&é"\'(§è!çà)-^$µmù;:=³1234567890°_¨*£M%./+',
    letters: AZERTY,
    isShiftedByCaps: true,
  },
  german: {
    signs: '^1234567890ß´ü+#öä,.-°!"§$%&/()=?`Ü*\'ÖÄ;:_',
    letters: QWERTZ,
    isShiftedByCaps: true,
  },
  swissGerman: { signs: '§1234567890\'^ü¨$öä,.-°+"*ç%&/()=?`è!£éà;:_', letters: QWERTZ },
  swissFrench: { signs: '§1234567890\'^è¨$éà,.-°+"*ç%&/()=?`ü!£öä;:_', letters: QWERTZ },
  czech: { signs: ';+ěščřžýáíé=´ú)¨ů§,.-°1234567890%ˇ/(\'"!?:_', letters: QWERTZ },
  slovak: { signs: ';+ľščťžýáíé=´úäňô§,.-°1234567890%ˇ/()"!?:_', letters: QWERTZ },
  hungarian: { signs: '0123456789öüóőúűéá,.-§\'"+!%/=()ÖÜÓŐÚŰÉÁ?:_', letters: QWERTZ },
  turkish: { signs: '"1234567890*-ğü,şiöç.é!\'^+%&/()=?_ĞÜ;ŞİÖÇ:', letters: ['i', 'ı'] },
  ukrainian: {
    signs: '\'1234567890-=хїґжєбю.₴!"№;%:?*()_+ХЇҐЖЄБЮ,',
    letters: [
      'qwertyuiopasdfghjklzxcvbnmQWERTYUIOPASDFGHJKLZXCVBNM',
      'йцукенгшщзфівапролдячсмитьЙЦУКЕНГШЩЗФІВАПРОЛДЯЧСМИТЬ',
    ],
  },
} as const satisfies Record<string, Keys>;

export type Layout = keyof typeof LAYOUTS;

/** The number of keys with signs and digits. */
const SIGN_KEYS = US.length / 2;
/** The characters of `US` with the other state of the shift key. */
const SHIFTED = US.slice(SIGN_KEYS) + US.slice(0, SIGN_KEYS);

const KEYS = Object.entries<Keys>(LAYOUTS).flatMap(
  ([
    name,
    {
      signs,
      letters: [us, typed],
      isShiftedByCaps,
    },
  ]) => {
    const layout = name as Layout;
    const plain = { layout, keys: withCapitals(keysOf(signs + typed, US + us)), isCaps: false };
    const capitals = [...us].map(inOtherCase).join('');
    return isShiftedByCaps
      ? [plain, { layout, keys: keysOf(signs + typed, SHIFTED + capitals), isCaps: true }]
      : [plain];
  },
);

/** The characters of a US keyboard by the typed characters. */
function keysOf(typed: string, us: string): Map<string, string> {
  return new Map([...typed].flatMap((character, key) => (character === ' ' ? [] : [[character, us[key]!]])));
}

/** With Caps Lock, some systems type capitals for letters at the keys of digits: `É` for `é`. */
function withCapitals(keys: Map<string, string>): Map<string, string> {
  const capitals = [...keys].map(([character, key]) => [character.toUpperCase(), key] as const);
  return new Map([...capitals, ...keys]);
}

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
