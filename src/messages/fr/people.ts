import type { people as english } from '../en/people.ts';
import { people as same } from '../en/people.ts';
import type { Translated } from '../en/translated.ts';

export const people: Translated<typeof english> = same;
