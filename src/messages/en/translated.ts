/** An area of messages in another language: all of its keys, so that one that is missing does not compile. */
export type Translated<Area> = { readonly [K in keyof Area]: string };
