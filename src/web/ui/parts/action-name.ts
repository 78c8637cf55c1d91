export type ActionName<A> = keyof A & string;

/**
 * The default of a form's type parameter: no actions. A form must name the actions of its page, as
 * in `<Form<ClientActions> action="update">`. Otherwise it does not compile.
 */
export type NoActions = Record<never, never>;

/**
 * The type of a prop for a component that sends the action `N`. If the page's actions `A` do not
 * have `N`, no value has this type.
 */
export type PropWith<N extends string, A, T> = [N] extends [keyof A] ? T : never;
