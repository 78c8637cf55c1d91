/** WMS ids of the pallets of the day. */
export const PALLETS = {
  first: '340123450000000017',
  second: '340123450000000024',
  /** Its label is torn: it is entered by hand. */
  torn: '340123450000000031',
  /** They leave tomorrow, but somebody loads them today. */
  strays: ['340123450000000048', '340123450000000055'],
  damaged: '340123450000000062',
} as const;

/** The orders of the day, one of tomorrow, and the truck. */
export const [FIRST, SECOND, TOMORROW] = ['ORDER-10248', 'ORDER-10249', 'ORDER-10250'] as const;
export const TRUCK = 'SHIP-20261121-1';
