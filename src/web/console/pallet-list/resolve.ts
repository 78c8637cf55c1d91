import { fold } from '../../../core/lib/text.ts';
import { ssccOf } from '../../../pallet/gs1.ts';
import {
  isMistypedNumber,
  palletsMeant,
  READING_MAXIMUM,
  type Reading,
  readIdentifier,
} from '../../../pallet/identifier.ts';
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

/** Texts that are looked up together. Their readings are in memory at the same time. */
const PORTION = 2_000;
/** How many texts of a list are also read as typed for another layout of the keyboard. That takes ten times as long. */
const TYPED = 200;

/**
 * The pallets that texts mean, in their order. A text that is literally the id of a live pallet is this pallet. Else the
 * reader of identifiers finds the live pallet. Without one, an SSCC is stored as 18 digits, and another id as it is written.
 * Other layouts of the keyboard are tried for the first texts only, because a list that is scanned by hand is not longer.
 */
export async function resolveTexts(
  texts: readonly Written[],
  find: FindLive,
  organization?: string,
): Promise<Resolved[]> {
  const meanings: Resolved[] = [];
  for (let at = 0; at < texts.length; at += PORTION) {
    const portion = texts.slice(at, at + PORTION);
    for (const meaning of await resolvedPortion(portion, find, organization, at === 0 ? TYPED : 0))
      meanings.push(meaning);
  }
  return meanings;
}

/** `typed`: for how many lines other layouts of the keyboard are tried. */
async function resolvedPortion(
  lines: readonly Written[],
  find: FindLive,
  organization: string | undefined,
  typed: number,
): Promise<Resolved[]> {
  const live = new Live();
  // A longer text is no identifier, and is not read.
  const literals = lines.map((line) => (line.raw.length > READING_MAXIMUM ? [] : literalsOf(line)));
  live.add(await find(literals.flat()));
  const readings = lines.map((line, index) =>
    line.isExact || literals[index]!.length === 0 || literals[index]!.some((text) => live.has(text))
      ? undefined
      : readIdentifier(delimitedSscc(line.text) ?? line.text, organization),
  );
  const open = readings.filter((reading) => reading !== undefined);
  await live.addFor(find, open);
  const unfound = readings
    .slice(0, typed)
    .flatMap((reading) => (reading && !live.hasOne(reading) ? reading : []));
  await live.addFor(
    find,
    unfound.flatMap(({ undone }) => undone),
  );
  return lines.map((line, index) => {
    const literal = literals[index]!.find((text) => live.has(text));
    if (literal !== undefined) return { pallet: literal, isLive: true };
    const reading = readings[index];
    if (reading === undefined) return { pallet: line.text };
    return meaningOf(reading, live, index < typed);
  });
}

/** Digits of an SSCC between the delimiters of EDIFACT and X12: `GIN+BJ+…'`, `MAN*GM*00…~`. */
const DELIMITED = /(?<=[+*:|^])(?:00)?\d{18}(?=[+*:|^'~]|$)/g;

/** The only SSCC within the delimiters of a text. */
function delimitedSscc(text: string): string | undefined {
  const found = new Set((text.match(DELIMITED) ?? []).flatMap((digits) => ssccOf(digits) ?? []));
  return found.size === 1 ? [...found][0] : undefined;
}

/** The texts of a line that may be the id of a pallet as they are. Forms change line ends within an id. */
function literalsOf({ raw, text, isExact }: Written): string[] {
  if (raw === text && !/\s/.test(raw)) return [raw];
  const texts = isExact ? [text] : [...new Set([raw, raw.trim(), text])];
  return texts.flatMap((each) =>
    each.includes('\n') ? [each, each.replaceAll('\n', '\r\n'), each.replaceAll('\n', '\r')] : [each],
  );
}

function meaningOf(reading: Reading, live: Live, isTyped: boolean): Resolved {
  const found = live.hasOne(reading) ? live.of([reading]) : isTyped ? live.of(reading.undone) : [];
  const { pallets } = found.length === 0 ? { pallets: [] } : palletsMeant(reading, found);
  const [pallet] = pallets;
  if (pallets.length > 1) return { several: pallets.map(({ wmsId }) => wmsId) };
  if (pallet) return { pallet: pallet.wmsId, isLive: true };
  const { sscc, text } = reading;
  if (sscc !== undefined) return { pallet: sscc, sscc };
  // A list has ids with signs, too. Only digits that another keyboard has changed are certainly mistyped.
  return isTyped && isMistypedNumber(reading) ? { isMistyped: true } : { pallet: text };
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

  /** Whether the texts can name a live pallet. */
  hasOne({ literal, meant, folded }: Texts): boolean {
    return (
      this.#ids.size > 0 &&
      (literal.some((id) => this.#ids.has(id)) ||
        meant.some((id) => this.#ids.has(id)) ||
        this.#byFolded.has(folded))
    );
  }

  /** The live pallets that texts can mean, among all that were found. */
  of(texts: readonly Texts[]): { wmsId: string }[] {
    if (this.#ids.size === 0) return [];
    const ids = texts.flatMap(({ literal, meant, folded }) => [
      ...[...literal, ...meant].filter((id) => this.#ids.has(id)),
      ...(this.#byFolded.get(folded) ?? []),
    ]);
    return [...new Set(ids)].map((wmsId) => ({ wmsId }));
  }
}
