/** Reads a scanned or typed text: possible ids of a pallet, the likeliest first, and the code of a marker. */
export function readScan(text: string): { ids: string[]; marker: number | null };
