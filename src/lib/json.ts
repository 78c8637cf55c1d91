/** JSON text of a value of this type. */
export type Json<T> = string & { readonly json?: T };

/** What a JSON text of the service itself says. */
export const parseJson = <T>(text: Json<T>): T => JSON.parse(text) as T;
