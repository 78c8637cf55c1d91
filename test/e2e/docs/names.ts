/** WMS ids of the day's pallets. */
export const PALLETS = {
  first: '340123450000000017',
  second: '340123450000000024',
  /** Its label is torn, so a worker enters it by hand. */
  torn: '340123450000000031',
  /** They are planned for tomorrow but loaded today. */
  strays: ['340123450000000048', '340123450000000055'],
  damaged: '340123450000000062',
} as const;

/** The orders of the day, an order of tomorrow, and the truck. */
export const [FIRST, SECOND, TOMORROW] = ['ORDER-10248', 'ORDER-10249', 'ORDER-10250'] as const;
export const TRUCK = 'SHIP-20261121-1';
