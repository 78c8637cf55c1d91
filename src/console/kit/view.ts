import type { Child } from 'hono/jsx';
import { createContext, useContext } from 'hono/jsx';
import type { Refusal } from '../../lib/problem.ts';
import type { Language } from '../../messages/languages.ts';
import type { ScriptWords } from '../../messages/words.ts';
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
  /** Whether nothing is at its address: whoever guesses addresses learns nothing, not even which was asked for. */
  lost?: boolean;
  /** Title of the tab, where it is another than the heading. */
  tab?: string;
  /** Scripts of `src/console/assets` that the page also loads. */
  scripts?: string[];
  /** Groups of messages that these say. */
  words?: ScriptWords[];
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
  /** On the pages of operators, which are in English alone: who is signed in, if anybody is. */
  operator?: { name: string | undefined } | undefined;
  /** What the viewer has chosen or prefers, and what the page is in: English where it has no other words yet. */
  chosen: Language;
  language: Language;
  /** What forms send back. */
  formToken: string;
  /** Path of the page, without query. */
  path: string;
  /** Query of the page, with its question mark; '' for none. */
  search: string;
  /** What came of the page's last form, if it was not taken; with its key where that is not known for sure. */
  failed?: { action: string; refusal: Refusal; typed: Typed; key: string | undefined } | undefined;
  /** What was typed into a form that is asked for something else before it is sent, by its action. */
  typed?: { action: string; typed: Typed } | undefined;
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

/** The zone (IANA) of the viewer's site, by whose clock times are told. */
export const useZone = (): string => useShown().session?.organization.timeZone ?? 'UTC';

/** Path and query of a page. */
export const hereOf = ({ path, search }: Shown): string => path + search;
