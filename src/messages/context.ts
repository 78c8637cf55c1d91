import { createContext, useContext } from 'hono/jsx';
import { type Words, wordsIn } from './words.ts';

const context = createContext<Words>(wordsIn('en'));

/** Gives the components below the language that they say things in; English where nobody does. */
export const WordsProvider = context.Provider;

/** The words of the page that a component is part of. */
export const useWords = (): Words => useContext(context);
