/**
 * Keyboard layouts. A scanner presses the keys of a US keyboard, and a device with another layout types other
 * characters for them.
 */

/** The characters of keys with signs and digits: without shift, and then with shift. */
const US = '`1234567890-=[]\\;\',./~!@#$%^&*()_+{}|:"<>?';

const AZERTY = ['qwazmQWAZM', 'azqw,AZQW?'] as const;
const QWERTZ = ['yzYZ', 'zyZY'] as const;

/**
 * The layouts: French, Belgian and German. `signs` are the characters of the keys of `US`. A blank is a key without a
 * character. `letters` are the keys of letters with another character: first as on a US keyboard, then as in this layout.
 */
const LAYOUTS = [
  { signs: '²&é"\'(-è_çà)=^$*mù;:! 1234567890°+¨£µM%./§', letters: AZERTY },
  { signs: '²&é"\'(§è!çà)-^$µmù;:=³1234567890°_¨*£M%./+', letters: AZERTY },
  { signs: '^1234567890ß´ü+#öä,.-°!"§$%&/()=?`Ü*\'ÖÄ;:_', letters: QWERTZ },
];

/** The number of keys with signs and digits. */
const SIGN_KEYS = US.length / 2;
/** The characters of `US` with the other state of the shift key. */
const SHIFTED = US.slice(SIGN_KEYS) + US.slice(0, SIGN_KEYS);

/** The keys of each layout without and with Caps Lock, which also shifts the keys with signs and digits. */
const KEYS = LAYOUTS.flatMap(({ signs, letters: [us, typed] }) => [
  { keys: withCapitals(keysOf(signs + typed, US + us)), isCaps: false },
  { keys: keysOf(signs + typed, SHIFTED + [...us].map(inOtherCase).join('')), isCaps: true },
]);

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
const UNUSUAL = /[^A-Za-z0-9 ._/-]/;

/** A text as a US keyboard types it. */
export interface Undone {
  text: string;
  /** Whether the typed text has characters that are unusual in identifiers, so it is hardly right as it is. */
  isEvident: boolean;
}

/** Whether a text has characters that are unusual in identifiers. */
export const isUnusual = (text: string): boolean => UNUSUAL.test(text);

/** The texts that a scanner may have meant: each layout that changes the typed text, without and with Caps Lock. */
export function undoLayouts(typed: string): Undone[] {
  const characters = [...typed.normalize('NFC')];
  return KEYS.flatMap(({ keys, isCaps }) => {
    let [text, isMoved, isEvident] = ['', false, false];
    for (const character of characters) {
      const key = keys.get(character);
      if (key !== undefined && key !== character) {
        isMoved = true;
        isEvident ||= UNUSUAL.test(character);
      }
      text += key ?? (isCaps && /[a-z]/i.test(character) ? inOtherCase(character) : character);
    }
    return isMoved ? [{ text, isEvident }] : [];
  });
}
