import type { Child } from 'hono/jsx';
import { createContext, useContext } from 'hono/jsx';
import type { Refusal } from '../../lib/problem.ts';
import type { FoundSession } from '../../session/store.ts';
import type { Became } from '../../writer/each.ts';

/** What a page shows below its heading. */
export interface View {
  /** Heading and title. */
  title: string;
  body: Child;
  /** Stands next to the heading, such as a status. */
  aside?: Child;
  /** Whether the page fills the screen by itself, with a heading of its own and without the menu. */
  bare?: boolean;
  /** Whether its scripts run WebAssembly, which the policy of pages does not allow. */
  wasm?: boolean;
  /** Title of the tab, where it is another than the heading. */
  tab?: string;
  /** Scripts of `src/console/assets` that the page also loads. */
  scripts?: string[];
  /** The same for its styles. */
  styles?: string[];
}

/** What somebody typed, by the name of the field. */
export type Typed = { [name: string]: string | string[] };

/** A secret that is shown this once. */
export interface Secret {
  label: string;
  value: string;
}

/** What the components of a page know of the request. */
export interface Shown {
  /** Null on pages of people who are not signed in. */
  session: FoundSession | null;
  /** What forms send back. */
  formToken: string;
  /** Path of the page, without query. */
  path: string;
  /** Query of the page, with its question mark; '' for none. */
  search: string;
  /** What came of the page's last form, if it was not taken; with its key where that is not known for sure. */
  failed?: { action: string; refusal: Refusal; typed: Typed; key: string | undefined } | undefined;
  /** What is told at the top, once. */
  flash?: string | undefined;
  secrets?: Secret[] | undefined;
  /** What became of each of the rows that a form was about. */
  became?: Became[] | undefined;
}

const context = createContext<Shown | null>(null);

/** Gives the components below what they know of the request. */
export const ShownProvider = context.Provider;

/** What this page knows of its request. */
export function useShown(): Shown {
  const shown = useContext(context);
  if (shown === null) throw new Error('a component of pages stands outside of a page');
  return shown;
}
