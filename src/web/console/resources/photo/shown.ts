/** The maximum number of photos on a page. */
export const PHOTOS_SHOWN = 120;
