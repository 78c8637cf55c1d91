import { documents } from './documents.ts';
import { gate } from './gate.ts';
import { people } from './people.ts';
import { refusals } from './refusals.ts';
import { scripts } from './scripts.ts';

export const ro = { ...documents, ...people, ...gate, ...scripts, ...refusals };
