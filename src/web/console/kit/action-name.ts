/** The name of one of the actions `A`. */
export type ActionName<A> = keyof A & string;

/** No actions: a form names those of its page (`<Form<ClientActions> action="update">`), or it does not compile. */
export type NoActions = Record<never, never>;

/** The type of a prop of a part that sends the action `N`: no value has it on a page whose actions `A` lack that one. */
export type PropWith<N extends string, A, T> = [N] extends [keyof A] ? T : never;
