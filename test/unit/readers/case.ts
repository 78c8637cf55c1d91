/** The worst inputs of a reader. A file `{reader}.cases.ts` in this folder exports them by default. */
export interface ReaderCases<I = never> {
  /** The name of the reader (`declareReader`). */
  reader: string;
  /** Reads an input to its end. A refusal is an answer: return it, do not throw it. */
  read(input: I): unknown;
  /** Makes inputs at the size limit: deep, wide, both, tiny parts, repeated references, blanks, long runs. */
  inputs: Record<string, () => I>;
  /** For each limit of the reader, an input that costs too much without it. */
  needed: Record<string, string>;
}

/** Types the cases of a reader. */
export const casesOf = <I>(cases: ReaderCases<I>): ReaderCases<I> => cases;
