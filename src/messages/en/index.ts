import { board } from './board.ts';
import { desk } from './desk/index.ts';
import { deskScripts } from './desk-scripts.ts';
import { documents } from './documents.ts';
import { gate } from './gate.ts';
import { lists } from './lists.ts';
import { menu } from './menu.ts';
import { orders } from './orders.ts';
import { people } from './people.ts';
import { refusals } from './refusals.ts';
import { scripts } from './scripts.ts';

/** The messages of the floor: gates, tablets, sign-in, drivers, public pages and documents. Every language has them. */
export const floor = { ...documents, ...people, ...gate, ...scripts, ...refusals };

export const en = { ...floor, ...menu, ...board, ...deskScripts, ...lists, ...orders, ...desk };
