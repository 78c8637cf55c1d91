/** Numbers with the plural form that each language gives them (Unicode CLDR). */
export const PLURALS = {
  cs: { 1: 'one', 2: 'few', 4: 'few', 5: 'other', 22: 'other', 1.5: 'many' },
  pl: { 1: 'one', 2: 'few', 5: 'many', 12: 'many', 22: 'few', 1.5: 'other' },
  ro: { 1: 'one', 2: 'few', 19: 'few', 20: 'other', 101: 'few' },
  tr: { 1: 'one', 2: 'other', 5: 'other' },
  uk: { 1: 'one', 3: 'few', 5: 'many', 11: 'many', 21: 'one', 22: 'few', 1.5: 'other' },
} as const;
