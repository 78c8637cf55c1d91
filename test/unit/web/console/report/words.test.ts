import { describe, expect, it } from 'vitest';
import { addMessages, wordsIn } from '../../../../../src/messages/words.ts';
import { askedReport } from '../../../../../src/web/console/report/form.tsx';
import { rangeBefore } from '../../../../../src/web/console/report/range-rules.ts';
import { differenceText, minutesIn, partName, valueIn } from '../../../../../src/web/console/report/words.ts';
import { MESSAGES } from '../../../../messages.ts';

addMessages('de', MESSAGES.de);
const english = wordsIn('en');
const german = wordsIn('de');
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('values of a report in words', () => {
  it.each([
    [0, '0 min'],
    [59.4, '59 min'],
    [59.6, '1 h'],
    [80, '1 h 20 min'],
    [6_000, '100 h'],
    [75_031, '1,251 h'],
  ])('%d minutes are written as %s', (minutes, text) => {
    expect(minutesIn(english, minutes)).toBe(text);
  });

  it('numbers, shares and days follow the language', () => {
    expect([valueIn(english, 1_234.56, 'NUMBER'), valueIn(german, 1_234.56, 'NUMBER')]).toEqual([
      '1,234.6',
      '1.234,6',
    ]);
    expect([valueIn(english, 0.916, 'SHARE'), plain(valueIn(german, 0.916, 'SHARE'))]).toEqual([
      '92%',
      '92 %',
    ]);
    const week = { from: '2026-11-23', to: '2026-11-29' };
    expect(partName(english, 'WEEK', '2026-W48', week)).toBe('Week 48, 23 Nov to 29 Nov');
    expect(plain(partName(german, 'WEEK', '2026-W01', week))).toBe('KW 1, 23. Nov. bis 29. Nov.');
  });

  it('a comparison names the difference and the period', () => {
    const week = rangeBefore({ from: '2026-11-16', to: '2026-11-22' });
    const more = { kind: 'MORE', by: 12 } as const;
    expect(differenceText(english, more, 'NUMBER', week, 1)).toBe('12% more than the week before');
    expect(plain(differenceText(german, more, 'NUMBER', week, 1))).toBe('12 % mehr als in der Woche davor');
    const days = rangeBefore({ from: '2026-11-01', to: '2026-11-26' });
    expect(differenceText(english, { kind: 'LESS', by: 1 }, 'SHARE', days, 1)).toBe(
      '1 percentage point less than the 26 days before',
    );
    expect(differenceText(english, { kind: 'SAME', by: 0 }, 'SHARE', days, 1)).toBe(
      'the same as the 26 days before',
    );
    expect(differenceText(english, undefined, 'MINUTES', days, 0)).toBe('the 26 days before: 0 min');
    expect(differenceText(english, undefined, 'MINUTES', days, null)).toBe('no data for the 26 days before');
  });
});

describe('the days that a query asks for', () => {
  const today = '2026-11-26';
  it.each([
    [{}, '2026-10-28', today],
    [{ from: '2026-11-20' }, '2026-11-20', today],
    [{ from: '2026-12-20' }, '2026-12-20', '2026-12-20'],
    [{ to: '2026-03-31' }, '2026-03-02', '2026-03-31'],
    [{ from: '2024-01-01', to: '2024-12-31' }, '2024-01-01', '2024-12-31'],
  ])('the query %j has valid days', (query, from, to) => {
    expect(askedReport(english, query, today)).toEqual({ report: { from, to, groupBy: 'DAY' } });
  });

  it('a report that is too long or backwards has a fault', () => {
    expect(askedReport(english, { from: '2024-01-01', to: '2025-01-01' }, today).fault).toContain('366 days');
    expect(askedReport(english, { from: '2026-01-02', to: '2026-01-01' }, today).fault).toContain('before');
  });
});
