import { accounts } from './accounts.ts';
import { kit } from './kit.ts';
import { loads } from './loads.ts';
import { log } from './log.ts';
import { planning } from './planning.ts';
import { records } from './records.ts';
import { report } from './report.ts';
import { tablets } from './tablets.ts';
import { things } from './things.ts';

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
