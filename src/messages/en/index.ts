import { accounts } from './desk/accounts.ts';
import { kit } from './desk/kit.ts';
import { loads } from './desk/loads.ts';
import { log } from './desk/log.ts';
import { planning } from './desk/planning.ts';
import { records } from './desk/records.ts';
import { report } from './desk/report.ts';
import { tablets } from './desk/tablets.ts';
import { things } from './desk/things.ts';
import { documents } from './documents.ts';
import { board, gate } from './gate.ts';
import { lists, menu, orders } from './lists.ts';
import { people } from './people.ts';
import { refusals } from './refusals.ts';
import { deskScripts, scripts } from './scripts.ts';

/** Texts of the desk only. */
export const desk = {
  ...kit,
  ...loads,
  ...planning,
  ...tablets,
  ...things,
  ...records,
  ...report,
  ...log,
  ...accounts,
};

/** The messages of the floor: gates, tablets, sign-in, drivers, public pages and documents. Every language has them. */
export const floor = { ...documents, ...people, ...gate, ...scripts, ...refusals };

export const en = { ...floor, ...menu, ...board, ...deskScripts, ...lists, ...orders, ...desk };
