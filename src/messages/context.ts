import { createContext, useContext } from 'hono/jsx';
import { type Words, wordsIn } from './words.ts';

const context = createContext<Words | undefined>(undefined);

/** Provides the words of the page to the components below. The default is English. */
export const WordsProvider = context.Provider;

/** The words of the page of a component. */
export const useWords = (): Words => useContext(context) ?? wordsIn('en');
