/** JSON text of a value of this type. */
export type Json<T> = string & { readonly json?: T };

/** Parse a JSON text that the service itself has written. */
export const parseJson = <T>(text: Json<T>): T => JSON.parse(text) as T;
