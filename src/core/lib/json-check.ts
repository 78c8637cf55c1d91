/** States of the checker. The last seven are not states but actions. */
const STATES = [
  // Invalid; a final state.
  'WRONG',
  // Between tokens.
  ...['VALUE', 'VALUE_OR_END', 'KEY', 'KEY_OR_END', 'COLON', 'AFTER'],
  // In a string: TEXT is a value, NAME is a key.
  ...['TEXT', 'TEXT_ESCAPE', 'TEXT_HEX_4', 'TEXT_HEX_3', 'TEXT_HEX_2', 'TEXT_HEX_1'],
  ...['NAME', 'NAME_ESCAPE', 'NAME_HEX_4', 'NAME_HEX_3', 'NAME_HEX_2', 'NAME_HEX_1'],
  // In a number.
  ...['MINUS', 'ZERO', 'INTEGER', 'POINT', 'FRACTION', 'E', 'E_SIGN', 'EXPONENT'],
  // In true, false and null, named by the letters read so far.
  ...['t', 'tr', 'tru', 'f', 'fa', 'fal', 'fals', 'n', 'nu', 'nul'],
  ...['OPEN_OBJECT', 'OPEN_ARRAY', 'CLOSE_OBJECT', 'CLOSE_ARRAY', 'COMMA', 'OPEN_NAME', 'CLOSE_NAME'],
] as const;
type State = (typeof STATES)[number];
const code = (state: State): number => STATES.indexOf(state);

const WRONG = code('WRONG');
const VALUE = code('VALUE');
const VALUE_OR_END = code('VALUE_OR_END');
const KEY = code('KEY');
const KEY_OR_END = code('KEY_OR_END');
const COLON = code('COLON');
const AFTER = code('AFTER');
const NAME = code('NAME');
const FIRST_ACTION = code('OPEN_OBJECT');
const OPEN_ARRAY = code('OPEN_ARRAY');
const CLOSE_OBJECT = code('CLOSE_OBJECT');
const COMMA = code('COMMA');
const OPEN_NAME = code('OPEN_NAME');
/** The column of all characters from U+00FF on. Like U+0080, they are allowed in texts only. */
const OTHERS = 0xff;
/** States in which a text may end. A number has no terminator, so a text may end in one. */
const ENDS = new Set((['AFTER', 'ZERO', 'INTEGER', 'FRACTION', 'EXPONENT'] as const).map(code));

/** The transition table, indexed by `state * 256 + character`: the grammar of RFC 8259. */
const TABLE = grammar();

function grammar(): Uint8Array {
  const table = new Uint8Array(FIRST_ACTION * 256);
  const on = (state: State, characters: string, next: State) => {
    for (const character of characters) table[code(state) * 256 + character.charCodeAt(0)] = code(next);
  };
  for (const state of ['VALUE', 'VALUE_OR_END'] as const) {
    on(state, '{', 'OPEN_OBJECT');
    on(state, '[', 'OPEN_ARRAY');
    on(state, '"', 'TEXT');
    on(state, '-', 'MINUS');
    on(state, '0', 'ZERO');
    on(state, '123456789', 'INTEGER');
    for (const letter of ['t', 'f', 'n'] as const) on(state, letter, letter);
  }
  on('VALUE_OR_END', ']', 'CLOSE_ARRAY');
  on('KEY', '"', 'OPEN_NAME');
  on('KEY_OR_END', '"', 'OPEN_NAME');
  on('KEY_OR_END', '}', 'CLOSE_OBJECT');
  on('COLON', ':', 'VALUE');
  for (const word of ['true', 'false', 'null']) {
    for (let length = 1; length < word.length; length += 1) {
      const next = length + 1 === word.length ? 'AFTER' : (word.slice(0, length + 1) as State);
      on(word.slice(0, length) as State, word[length]!, next);
    }
  }
  for (const [state, after] of [
    ['TEXT', 'AFTER'],
    ['NAME', 'CLOSE_NAME'],
  ] as const) {
    table.fill(code(state), code(state) * 256 + 0x20, (code(state) + 1) * 256);
    on(state, '"', after);
    on(state, '\\', `${state}_ESCAPE`);
    on(`${state}_ESCAPE`, '"\\/bfnrt', state);
    on(`${state}_ESCAPE`, 'u', `${state}_HEX_4`);
    const hex = [`${state}_HEX_4`, `${state}_HEX_3`, `${state}_HEX_2`, `${state}_HEX_1`, state] as const;
    hex.slice(0, 4).forEach((digit, index) => {
      on(digit, '0123456789abcdefABCDEF', hex[index + 1]!);
    });
  }
  for (const state of ['AFTER', 'ZERO', 'INTEGER', 'FRACTION', 'EXPONENT'] as const) {
    on(state, ',', 'COMMA');
    on(state, '}', 'CLOSE_OBJECT');
    on(state, ']', 'CLOSE_ARRAY');
    on(state, ' \t\n\r', 'AFTER');
  }
  for (const state of ['VALUE', 'VALUE_OR_END', 'KEY', 'KEY_OR_END', 'COLON'] as const) {
    on(state, ' \t\n\r', state);
  }
  on('MINUS', '0', 'ZERO');
  on('MINUS', '123456789', 'INTEGER');
  on('INTEGER', '0123456789', 'INTEGER');
  for (const state of ['ZERO', 'INTEGER'] as const) on(state, '.', 'POINT');
  for (const state of ['POINT', 'FRACTION'] as const) on(state, '0123456789', 'FRACTION');
  for (const state of ['ZERO', 'INTEGER', 'FRACTION'] as const) on(state, 'eE', 'E');
  on('E', '+-', 'E_SIGN');
  for (const state of ['E', 'E_SIGN', 'EXPONENT'] as const) on(state, '0123456789', 'EXPONENT');
  return table;
}

/** Functions that a check calls before it continues. They may throw, for example `OverBudget`, which ends the check. */
interface Watch {
  /** The text has one more level: objects and arrays within each other. Called once for each level. */
  level(): void;
  /** An object has a member of this name. Escapes in the name are not resolved. */
  name?(name: string): void;
}

/**
 * Checks whether a text that arrives in parts is one JSON text (RFC 8259), without storing it. It needs one bit of
 * memory per open level and one table look-up per character. It accepts exactly the texts that `JSON.parse` accepts.
 */
export class JsonCheck {
  readonly #watch: Watch;
  #state = VALUE;
  #depth = 0;
  #deepest = 0;
  /** One bit for each open level: 1 for an object, 0 for an array. */
  #levels = new Uint8Array(8);
  #kind: 'object' | 'array' | null = null;
  #read = 0;
  /** Where the name of a member begins. */
  #nameAt = 0;
  #wrongAt: number | undefined;
  /** The number of values so far, at most. An empty object or array counts as two. */
  values = 1;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /** Whether the text so far cannot begin a JSON text. */
  get failed(): boolean {
    return this.#state === WRONG;
  }

  /** The offset of the first character that the grammar does not allow. Undefined if the text is only too short. */
  get wrongAt(): number | undefined {
    return this.#wrongAt;
  }

  /** Check the next part. @throws what `Watch` throws */
  push(text: string): void {
    let state = this.#state;
    let index = 0;
    for (; index < text.length && state !== WRONG; index += 1) {
      const character = text.charCodeAt(index);
      state = TABLE[state * 256 + (character < OTHERS ? character : OTHERS)]!;
      if (state >= FIRST_ACTION) state = this.#act(state, text, index);
    }
    if (state === WRONG) this.#wrongAt ??= this.#read + index - 1;
    this.#read += text.length;
    this.#state = state;
  }

  /** End the text. Returns the kind of its top value; null if the text is not JSON. */
  end(): 'object' | 'array' | 'scalar' | null {
    return this.#depth === 0 && ENDS.has(this.#state) ? (this.#kind ?? 'scalar') : null;
  }

  /** Open, close or continue a level, or a name; returns the state that follows. */
  #act(action: number, text: string, index: number): number {
    if (action >= OPEN_NAME) return this.#name(action, text, index);
    if (action <= OPEN_ARRAY) {
      this.#kind ??= action === OPEN_ARRAY ? 'array' : 'object';
      return this.#open(action !== OPEN_ARRAY);
    }
    if (this.#depth === 0) return WRONG;
    const inObject = this.#inObject();
    if (action === COMMA) {
      this.values += 1;
      return inObject ? KEY : VALUE;
    }
    if (inObject !== (action === CLOSE_OBJECT)) return WRONG;
    this.#depth -= 1;
    return AFTER;
  }

  #name(action: number, text: string, index: number): number {
    if (action === OPEN_NAME) {
      this.#nameAt = index + 1;
      return NAME;
    }
    this.#watch.name?.(text.slice(this.#nameAt, index));
    return COLON;
  }

  #open(object: boolean): number {
    this.values += 1;
    if (this.#depth === this.#deepest) {
      this.#watch.level();
      this.#deepest += 1;
    }
    if (this.#depth === this.#levels.length * 8) {
      const longer = new Uint8Array(this.#levels.length * 2);
      longer.set(this.#levels);
      this.#levels = longer;
    }
    const [at, bit] = [this.#depth >> 3, 1 << (this.#depth & 7)];
    const others = this.#levels[at]! & ~bit;
    this.#levels[at] = object ? others | bit : others;
    this.#depth += 1;
    return object ? KEY_OR_END : VALUE_OR_END;
  }

  #inObject(): boolean {
    const top = this.#depth - 1;
    return (this.#levels[top >> 3]! & (1 << (top & 7))) !== 0;
  }
}
