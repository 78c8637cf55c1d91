import { UnreadableError } from './unreadable.ts';

/** The parts of a document in their order. Names are without their namespace prefix. */
export interface XmlHandlers {
  open?(name: string, attribute: (name: string) => string | undefined): void;
  /** A text between two tags, as it is written: see `decoded`. */
  text?(text: string): void;
  close?(name: string): void;
}

/** The longest tag or comment with the text before it, in characters. A cell of a spreadsheet has at most 32,767. */
export const TOKEN_MAXIMUM = 128 * 1024;
/** The most attributes of a tag that is read. */
const ATTRIBUTES_MAXIMUM = 16;

/** Codes of the characters that end or begin a part of a tag. */
const CODE = {
  blank: 32,
  mark: 33,
  quote: 34,
  apostrophe: 39,
  slash: 47,
  colon: 58,
  equals: 61,
  end: 62,
  question: 63,
};
const COMMENT = '<!--';
const CDATA = '<![CDATA[';

/**
 * Reads an XML document piece by piece. It needs a time and memory that grow with the length of the document only, also for broken ones.
 * Definitions of entities are refused.
 */
export class XmlReader {
  readonly #handlers: XmlHandlers;
  /** The beginning of a token whose end has not arrived. */
  #rest = '';
  /** The number of open tags. */
  #depth = 0;
  /** The piece with the current tag, and the position behind the tag's name. */
  #xml = '';
  #from = 0;
  /** The attributes of the current tag: the start and the end of each name and value. */
  readonly #attributes: number[] = [];
  #isScanned = false;
  readonly #attribute = (name: string) => this.#valueOf(name);

  constructor(handlers: XmlHandlers) {
    this.#handlers = handlers;
  }

  /** @throws `UnreadableError` for a document that is not well-formed, or with a token over `TOKEN_MAXIMUM` */
  write(piece: string): void {
    const xml = this.#rest + piece;
    let at = 0;
    for (;;) {
      const open = xml.indexOf('<', at);
      const end = open < 0 ? -1 : endOfToken(xml, open);
      if (end < 0) break;
      if (open > at) this.#handlers.text?.(xml.slice(at, open));
      this.#token(xml, open, end);
      at = end;
    }
    this.#rest = xml.slice(at);
    if (this.#rest.length > TOKEN_MAXIMUM) throw new UnreadableError('large');
  }

  /** The document ends here. @throws `UnreadableError` if it is incomplete */
  end(): void {
    if (this.#depth !== 0 || this.#rest.trim() !== '') throw new UnreadableError('broken');
  }

  #token(xml: string, open: number, end: number): void {
    const { open: opened, text, close: closed } = this.#handlers;
    const first = xml.charCodeAt(open + 1);
    if (first === CODE.question) return;
    if (first === CODE.mark) {
      if (xml.startsWith(CDATA, open))
        text?.(xml.slice(open + CDATA.length, end - 3).replaceAll('&', '&amp;'));
      return;
    }
    const isEnd = first === CODE.slash;
    let from = isEnd ? open + 2 : open + 1;
    let to = from;
    for (; !isNameEnd(xml.charCodeAt(to)); to += 1) if (xml.charCodeAt(to) === CODE.colon) from = to + 1;
    const name = xml.slice(from, to);
    if (!isEnd) {
      this.#depth += 1;
      this.#xml = xml;
      this.#from = to;
      this.#isScanned = false;
      opened?.(name, this.#attribute);
      if (xml.charCodeAt(end - 2) !== CODE.slash) return;
    }
    if (this.#depth === 0) throw new UnreadableError('broken');
    this.#depth -= 1;
    closed?.(name);
  }

  /** The value of an attribute of the current tag. */
  #valueOf(name: string): string | undefined {
    if (!this.#isScanned) this.#scan();
    const found = this.#attributes;
    for (let at = 0; at < found.length; at += 4) {
      const start = found[at]!;
      if (found[at + 1]! - start === name.length && this.#xml.startsWith(name, start))
        return decodeText(this.#xml.slice(found[at + 2], found[at + 3]));
    }
    return undefined;
  }

  #scan(): void {
    const xml = this.#xml;
    this.#isScanned = true;
    this.#attributes.length = 0;
    for (let at = afterBlanks(xml, this.#from); !isNameEnd(xml.charCodeAt(at)); ) {
      if (this.#attributes.length === 4 * ATTRIBUTES_MAXIMUM) throw new UnreadableError('large');
      const start = at;
      let local = at;
      for (; !isNameEnd(xml.charCodeAt(at)); at += 1) if (xml.charCodeAt(at) === CODE.colon) local = at + 1;
      const nameEnd = at;
      at = afterBlanks(xml, at);
      if (xml.charCodeAt(at) !== CODE.equals) throw new UnreadableError('broken');
      at = afterBlanks(xml, at + 1);
      const quote = xml.charCodeAt(at);
      if (quote !== CODE.quote && quote !== CODE.apostrophe) throw new UnreadableError('broken');
      const end = xml.indexOf(quote === CODE.quote ? '"' : "'", at + 1);
      if (!xml.startsWith('xmlns', start)) this.#attributes.push(local, nameEnd, at + 1, end);
      at = afterBlanks(xml, end + 1);
    }
  }
}

/** Whether a character ends the name of a tag or of an attribute. */
const isNameEnd = (code: number): boolean =>
  code <= CODE.blank || code === CODE.equals || code === CODE.slash || code === CODE.end;

function afterBlanks(xml: string, at: number): number {
  let next = at;
  while (xml.charCodeAt(next) <= CODE.blank) next += 1;
  return next;
}

/** The position behind a tag, comment, instruction or CDATA section; -1 if its end has not arrived. */
function endOfToken(xml: string, open: number): number {
  const first = xml.charCodeAt(open + 1);
  if (first === CODE.question) return behind(xml, '?>', open);
  if (first === CODE.mark) {
    if (xml.startsWith(COMMENT, open)) return behind(xml, '-->', open + COMMENT.length);
    if (xml.startsWith(CDATA, open)) return behind(xml, ']]>', open + CDATA.length);
    if (xml.length - open < CDATA.length) return -1;
    // A document type. Workbooks have none, and entities could multiply their text.
    throw new UnreadableError('broken');
  }
  for (let at = open + 1; at < xml.length; at += 1) {
    const code = xml.charCodeAt(at);
    if (code === CODE.end) return at + 1;
    if (code === CODE.quote || code === CODE.apostrophe) {
      at = xml.indexOf(code === CODE.quote ? '"' : "'", at + 1);
      if (at < 0) return -1;
    }
  }
  return -1;
}

function behind(xml: string, end: string, from: number): number {
  const at = xml.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
}

/** A reference to a character: `&amp;`, `&#38;`, `&#x26;`. */
const REFERENCE = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text with the characters for its references. Other references stay as they are. */
export const decodeText = (text: string): string =>
  text.includes('&')
    ? text.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return NAMED[name.toLowerCase()]!;
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
      })
    : text;
