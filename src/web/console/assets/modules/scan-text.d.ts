/** What a scanned text means: candidates for the id of a pallet, the likeliest first, or the marker with this code. */
export function readScan(text: string): { ids: string[]; marker: number | null };
