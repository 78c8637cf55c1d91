import { expect, it } from 'vitest';
import { command, registry } from '../../../../src/core/writer/command.ts';
import { commands } from '../../../../src/features.ts';

const named = (name: string) =>
  command(name, { ask: () => ({}), decide: () => ({ writes: [], audit: [], answer: { value: {} } }) });

it('the registry contains every command under its own name', () => {
  expect(Object.keys(commands).length).toBeGreaterThan(100);
  expect(Object.entries(commands).filter(([name, entry]) => entry.name !== name)).toEqual([]);
});

it('the registry refuses two commands with one name', () => {
  expect(() => registry([{ pack: named('pack') }, { pack: named('pack') }])).toThrow(
    'two commands are named pack',
  );
});

it('the registry refuses a command that is exported under another name', () => {
  expect(() => registry([{ wrap: named('pack') }])).toThrow('command pack is exported as wrap');
});

it('the registry ignores exports that are no commands', () => {
  expect(Object.keys(registry([{ pack: named('pack'), LIMIT: 5, help: () => null }]))).toEqual(['pack']);
});
