import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Passed } from './passed.ts';

it('a check repeats only for new items, items with faults, and after a change of its code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'passed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, code] = [join(folder, 'passed.json'), join(folder, 'check.ts')];
  writeFileSync(code, 'one');
  const checked: string[] = [];
  const run = async (...items: string[]) => {
    const passed = new Passed(file, [code]);
    const faults: string[] = [];
    for (const item of items) {
      faults.push(
        ...(await passed.faultsOf(item, () => {
          checked.push(item);
          return item.includes('bad') ? [`${item} is bad`] : [];
        })),
      );
    }
    passed.save();
    return [checked.splice(0), faults];
  };
  expect(await run('good', 'bad')).toEqual([['good', 'bad'], ['bad is bad']]);
  expect(await run('good', 'bad', 'new')).toEqual([['bad', 'new'], ['bad is bad']]);
  expect(await run('good', 'new')).toEqual([[], []]);
  writeFileSync(code, 'two');
  expect(await run('good', 'new')).toEqual([['good', 'new'], []]);
  writeFileSync(file, 'no JSON');
  expect(await run('good')).toEqual([['good'], []]);
});
