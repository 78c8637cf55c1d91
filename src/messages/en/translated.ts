/** An area of messages in another language. It has all keys of the English area, so a missing one does not compile. */
export type Translated<Area> = { readonly [K in keyof Area]: string };
