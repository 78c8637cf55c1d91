import { describe, expect, test, vi } from 'vitest';
import { slugOf } from '../../../../src/cli/wms/import.ts';
import { eachAtOnce, phaseInLanes } from '../../../../src/cli/wms/phases.ts';

describe('work on many items', () => {
  test('parallel work handles each item once, with a limit on how many at a time', async () => {
    const done: number[] = [];
    let [running, most] = [0, 0];
    await eachAtOnce(
      Array.from({ length: 50 }, (_, i) => i),
      4,
      async (item) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, item % 3));
        running -= 1;
        done.push(item);
      },
    );
    expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    expect(most).toBe(4);
  });

  test('parallel work starts nothing more after a failure', async () => {
    const begun: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (item === 3) throw new Error('no');
    };
    await expect(eachAtOnce([1, 2, 3, 4, 5, 6, 7, 8, 9], 3, work)).rejects.toThrow('no');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(begun.length).toBeLessThanOrEqual(5);
  });
});

describe('work in lanes', () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
  const laneOf = (item: string) => item[0]!;
  const silent = () => vi.spyOn(process.stdout, 'write').mockReturnValue(true);

  test('lanes run one item at a time in order, and side by side', async () => {
    const output = silent();
    const running = new Set<string>();
    const done: string[] = [];
    let most = 0;
    await phaseInLanes('items', ['a1', 'b1', 'a2', 'c1', 'b2', 'a3'], laneOf, async (item) => {
      expect(running.has(laneOf(item))).toBe(false);
      running.add(laneOf(item));
      most = Math.max(most, running.size);
      await pause();
      running.delete(laneOf(item));
      done.push(item);
    });
    output.mockRestore();
    expect(most).toBe(3);
    expect(done.filter((item) => laneOf(item) === 'a')).toEqual(['a1', 'a2', 'a3']);
    expect(done).toHaveLength(6);
  });

  test('lanes end after a failure in any lane', async () => {
    const output = silent();
    const begun: string[] = [];
    const work = async (item: string) => {
      begun.push(item);
      await pause();
      if (item === 'a1') throw new Error('no');
    };
    await expect(phaseInLanes('items', ['a1', 'a2', 'b1', 'b2', 'b3'], laneOf, work)).rejects.toThrow('no');
    await new Promise((resolve) => setTimeout(resolve, 20));
    output.mockRestore();
    expect(begun).not.toContain('a2');
    expect(begun).not.toContain('b3');
  });
});

describe('slug of a folder', () => {
  test.each([
    ['/data/northwind', 'demo-northwind'],
    ['/data/northwind/', 'demo-northwind'],
    ['/data/Export 2026_11', 'demo-export-2026-11'],
    [`/data/${'x'.repeat(80)}`, `demo-${'x'.repeat(58)}`],
    ['/data/größe-', 'demo-gr-e'],
  ])('the slug of folder %s is %s', (folder, slug) => {
    expect(slugOf(folder)).toBe(slug);
  });
});
