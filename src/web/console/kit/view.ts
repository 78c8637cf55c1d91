import type { Child } from 'hono/jsx';
import { createContext, useContext } from 'hono/jsx';
import type { FoundSession } from '../../../access/session/store.ts';
import type { Refusal } from '../../../core/lib/problem.ts';
import type { ItemResult } from '../../../core/writer/decide-items.ts';
import type { Language } from '../../../messages/languages.ts';
import type { ScriptWords } from '../../../messages/words.ts';

/** The content of a page. */
export interface View {
  /** Heading and title. */
  title: string;
  body: Child;
  /** Shown next to the heading, such as a status. */
  aside?: Child;
  /** Whether the page fills the screen by itself, with a heading of its own and without the menu. */
  bare?: boolean;
  /** Whether its scripts run WebAssembly, which the content security policy of pages does not allow otherwise. */
  wasm?: boolean;
  /** Whether to answer 404: who guesses addresses learns nothing, not even which page was asked for. */
  isErrorPage?: boolean;
  /** Title of the document, if it is not the heading. */
  tab?: string;
  /** Scripts of `src/web/console/assets` that the page also loads. */
  scripts?: string[];
  /** Groups of messages for these scripts. */
  words?: ScriptWords[];
  /** Style sheets that the page also loads. */
  styles?: string[];
}

/** The input, by the name of the field. */
export type Typed = { [name: string]: string | string[] };

/** A secret, which is shown only once. */
export interface Secret {
  label: string;
  value: string;
}

/** What components know about the request. */
export interface PageState {
  /** Null on pages for guests. */
  session: FoundSession | null;
  /** On pages of operators, which are in English only: the operator who is signed in, if any. */
  operator?: { name: string | undefined } | undefined;
  /** The viewer's preferences, and the language of the page: English if it is not translated. */
  chosen: Language;
  language: Language;
  /** The token of the session that forms send back. */
  formToken: string;
  /** Path of the page, without query. */
  path: string;
  /** Query of the page, with its question mark; '' for none. */
  search: string;
  /** The result of the page's last form if it was refused, with its key if it may have been processed all the same. */
  failed?: { action: string; refusal: Refusal; typed: Typed; key: string | undefined } | undefined;
  /** The input of a form, by its action, to show again after another question was answered before it is sent. */
  typed?: { action: string; typed: Typed } | undefined;
  /** A notice at the top, shown once. */
  flash?: string | undefined;
  secrets?: Secret[] | undefined;
  /** The result of each of a form's rows. */
  became?: ItemResult[] | undefined;
}

const context = createContext<PageState | null>(null);

/** Provides its components with what is known about the request. */
export const PageStateProvider = context.Provider;

/** What is known about the request of this page. */
export function usePageState(): PageState {
  const shown = useContext(context);
  if (shown === null) throw new Error('a component of pages stands outside of a page');
  return shown;
}

/** The time zone (IANA) of the viewer's site. */
export const useZone = (): string => usePageState().session?.organization.timeZone ?? 'UTC';

/** Path and query of a page. */
export const hereOf = ({ path, search }: PageState): string => path + search;
