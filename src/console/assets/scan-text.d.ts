/** What a scan names: a pallet by one of these ids, the likeliest first, or the marker of this code. */
export function readScan(text: string): { ids: string[]; marker: number | null };
