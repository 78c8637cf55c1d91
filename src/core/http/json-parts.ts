import { jsonText } from './bounded.ts';
import { streamed } from './permit.ts';
import type { AppContext } from './types.ts';

/** The characters of JSON that are kept as text, before they become bytes. */
const TEXT_LENGTH = 64 * 1024;

const encoder = new TextEncoder();

/** JSON in parts. If it is long, it is kept as bytes, which leave the memory while the client reads them. */
export class JsonParts {
  readonly #bytes: Uint8Array[] = [];
  #texts: string[] = [];
  #length = 0;

  add(text: string): void {
    this.#texts.push(text);
    this.#length += text.length;
    if (this.#length < TEXT_LENGTH) return;
    this.#bytes.push(encoder.encode(this.#texts.join('')));
    this.#texts = [];
    this.#length = 0;
  }

  /** Answer with all parts. */
  async answer(c: AppContext): Promise<Response> {
    const rest = this.#texts.join('');
    if (this.#bytes.length === 0) return jsonText(c, rest);
    this.#bytes.push(encoder.encode(rest));
    const bytes = this.#bytes;
    async function* parts(): AsyncGenerator<Uint8Array> {
      while (bytes.length > 0) yield bytes.shift()!;
    }
    return c.body(await streamed(c, parts), 200, { 'Content-Type': 'application/json' });
  }
}
