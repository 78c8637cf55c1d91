import { type Child, createContext, useContext } from 'hono/jsx';
import type { FoundSession } from '../../../access/session/store.ts';
import type { Refusal } from '../../../core/lib/problem.ts';
import type { ItemResult } from '../../../core/writer/command.ts';
import type { Language } from '../../../messages/languages.ts';
import type { ScriptWords } from '../../../messages/words.ts';

/** The content of a page. */
export interface View {
  /** Heading and title. */
  title: string;
  body: Child;
  /** The query of the audit log for the link to the history. The default finds records by uuid. */
  history?: string;
  /** The name of the organization, on a page for guests. */
  site?: string | undefined;
  /** Shown next to the heading, such as a status. */
  aside?: Child;
  /** Whether the page fills the screen, with its own heading and without the menu. */
  bare?: boolean;
  /** Whether its scripts run WebAssembly. Otherwise the content security policy forbids it. */
  wasm?: boolean;
  /**
   * Whether the page is about a refusal or a failure. Such a page does not offer the choice of
   * language.
   */
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

/** A secret. It is shown only once. */
export interface Secret {
  label: string;
  value: string;
  /** A `mailto:` link that sends it. */
  mail?: string;
}

/** The state of the request, for components. */
export interface PageState {
  /** Null on pages for guests. */
  session: FoundSession | null;
  /** Pages of operators only (they are in English): the signed-in operator, if any. */
  operator?: { name: string | undefined } | undefined;
  /** The language of the page and its menu. It is English if the page has no text in the viewer's language. */
  language: Language;
  /** The token of the session, which forms send back. */
  formToken: string;
  /** Path of the page, without query. */
  path: string;
  /** Query of the page, with its question mark; '' without a query. */
  search: string;
  /**
   * The page's last form, if it was refused. It has its key if the form may have been processed
   * anyway.
   */
  failed?: { action: string; refusal: Refusal; typed: Typed; key: string | undefined } | undefined;
  /** The labels of fields that were refused, by the name in the refusal. The fields fill it while the page is rendered. */
  labels: Map<string, string>;
  /**
   * The input of a form that was not sent yet, by its action. After a search on the same page, it
   * is shown again.
   */
  typed?: { action: string; typed: Typed } | undefined;
  /** A notice at the top, shown once. */
  flash?: string | undefined;
  secrets?: Secret[] | undefined;
  /** The result of each row of a form. */
  became?: ItemResult[] | undefined;
}

const context = createContext<PageState | null>(null);

/** Provides the state of the request to components. */
export const PageStateProvider = context.Provider;

/** The state of the request of this page. */
export function usePageState(): PageState {
  const shown = useContext(context);
  if (shown === null) throw new Error('a component of pages stands outside of a page');
  return shown;
}

/** The form whose input the page shows again: it was refused, or the user returned from its question. */
export function useShownForm(): { action: string; typed: Typed } | undefined {
  const { failed, typed } = usePageState();
  return failed ?? typed;
}

/** The time zone (IANA) of the viewer's site. */
export const useZone = (): string => usePageState().session?.organization.timeZone ?? 'UTC';

/** Path and query of a page. */
export const hereOf = ({ path, search }: PageState): string => path + search;
