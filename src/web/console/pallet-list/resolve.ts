import {
  isMistypedNumber,
  palletsMeant,
  type Reading,
  readIdentifier,
} from '../../../core/lib/identifier.ts';
import { fold } from '../../../core/lib/text.ts';
import type { Written } from './cell.ts';

/** Finds live pallets: the WMS ids among these texts, or the WMS ids that are equal to one in folded case. */
export type FindLive = (texts: Iterable<string>, folded?: boolean) => Promise<string[]>;

/** The meaning of a line. */
export interface Resolved {
  /** The id of the pallet; undefined if it is not certain. */
  pallet?: string;
  /** Whether it is a live pallet. */
  isLive?: boolean;
  /** The SSCC that the line contains. */
  sscc?: string | undefined;
  /** The live pallets that the line can mean. */
  several?: string[];
  isMistyped?: boolean;
}

/**
 * The pallets that lines mean. A text that is literally the id of a live pallet is this pallet. Else the reader of
 * identifiers finds the live pallet. Without one, an SSCC is stored as 18 digits, and another id as it is written.
 */
export async function resolved(
  lines: Iterable<Written>,
  find: FindLive,
  organization?: string,
): Promise<(line: Written) => Resolved> {
  const byKey = new Map<string, Written>();
  for (const line of lines) byKey.set(keyOf(line), line);
  const live = new Live();
  live.add(await find([...byKey.values()].flatMap(literalsOf)));
  const open = new Map<string, Reading>();
  for (const [key, line] of byKey) {
    if (!line.isExact && !literalsOf(line).some((text) => live.has(text)))
      open.set(key, readIdentifier(line.text, organization));
  }
  await live.addFor(find, [...open.values()]);
  const unfound = [...open.values()].filter((reading) => live.of(reading).length === 0);
  await live.addFor(
    find,
    unfound.flatMap(({ undone }) => undone),
  );
  return (line) => {
    const literal = literalsOf(line).find((text) => live.has(text));
    if (literal !== undefined) return { pallet: literal, isLive: true };
    const reading = open.get(keyOf(line));
    return reading ? meaningOf(reading, live) : { pallet: line.text };
  };
}

const keyOf = ({ raw, isExact }: Written): string => `${isExact ? '=' : ''}${raw}`;

/** The texts of a line that may be the id of a pallet as they are. Forms change line ends within an id. */
function literalsOf({ raw, text, isExact }: Written): string[] {
  const texts = isExact ? [text] : [...new Set([raw, raw.trim(), text])];
  return texts.flatMap((each) =>
    each.includes('\n') ? [each, each.replaceAll('\n', '\r\n'), each.replaceAll('\n', '\r')] : [each],
  );
}

function meaningOf(reading: Reading, live: Live): Resolved {
  const { pallets } = palletsMeant(reading, live.of(reading));
  const [pallet] = pallets;
  if (pallets.length > 1) return { several: pallets.map(({ wmsId }) => wmsId) };
  if (pallet) return { pallet: pallet.wmsId, isLive: true };
  const { sscc, text } = reading;
  if (sscc !== undefined) return { pallet: sscc, sscc };
  // A list has ids with signs, too. Only digits that another keyboard has changed are certainly mistyped.
  return isMistypedNumber(reading) ? { isMistyped: true } : { pallet: text };
}

interface Texts {
  literal: string[];
  meant: string[];
  folded: string;
}

/** The live pallets that were found so far. */
class Live {
  readonly #ids = new Set<string>();
  readonly #byFolded = new Map<string, Set<string>>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#ids.add(id);
      const folded = fold(id);
      this.#byFolded.set(folded, (this.#byFolded.get(folded) ?? new Set()).add(id));
    }
  }

  /** Find the pallets that texts can mean: first by their ids, then by their ids in folded case. */
  async addFor(find: FindLive, texts: readonly Texts[]): Promise<void> {
    this.add(await find(texts.flatMap(({ literal, meant }) => [...literal, ...meant])));
    const unfound = texts.filter((text) => !this.#knows(text));
    this.add(
      await find(
        unfound.map(({ folded }) => folded),
        true,
      ),
    );
  }

  #knows({ literal, meant }: Texts): boolean {
    return [...literal, ...meant].some((id) => this.#ids.has(id));
  }

  /** The live pallets that a reading can mean, among all that were found. */
  of({ undone, ...reading }: Reading): { wmsId: string }[] {
    const ids = [reading, ...undone].flatMap(({ literal, meant, folded }) => [
      ...[...literal, ...meant].filter((id) => this.#ids.has(id)),
      ...(this.#byFolded.get(folded) ?? []),
    ]);
    return [...new Set(ids)].map((wmsId) => ({ wmsId }));
  }
}
