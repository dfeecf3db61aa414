import { expect, it } from 'vitest';
import type { Language } from '#shared/languages.ts';
import { ENGLISH, FORMATS } from '#test/support/texts.ts';
import { formatsOf } from './formats.ts';

const FROM = Date.parse('2018-05-04T16:20:17Z');
const TO = Date.parse('2020-08-05T00:00:00Z');

it.each([
  ['en', '4 May 2018 at 16:20:17 UTC', '2 years, 3 months', '1,234', 'in 5 minutes', 'A, B, C'],
  ['de', '4. Mai 2018 um 16:20:17 UTC', '2 Jahre, 3 Monate', '1.234', 'in 5 Minuten', 'A, B, C'],
  ['ja', '2018年5月4日 16:20:17 UTC', '2年3か月', '1,234', '5分後', 'A、B、C'],
  ['ko', '2018년 5월 4일 16:20:17 UTC', '2년 3개월', '1,234', '5분 후', 'A, B, C'],
  ['ar', '4 مايو 2018 في 16:20:17 UTC', 'سنتان و3 أشهر', '1,234', 'خلال 5 دقائق', 'A، B، C'],
] as const)('§99 in %s a time is %s, and a span %s', (language, utc, span, count, relative, list) => {
  const formats = formatsOf(language);
  const shown = [
    formats.utc(FROM),
    formats.span([FROM, TO], ENGLISH.ui),
    formats.count(1_234),
    formats.relative(5, 'minute'),
    formats.list(['A', 'B', 'C']),
  ];
  // Which of the spaces it is differs between the versions of the Unicode data.
  expect(shown.map((text) => text.replaceAll(/\s/g, ' '))).toEqual([utc, span, count, relative, list]);
});

it('a date has what editors expect and `Intl` does not know: ordinals, two digits, short words that stay', () => {
  const written = (language: Language, day: string) =>
    formatsOf(language).utc(Date.parse(`${day}T01:01:01Z`));
  expect(written('fr', '2019-04-01')).toMatch(/^1er avril 2019 à 01:01:01\u00A0UTC$/);
  expect(written('fr', '2019-04-11')).toMatch(/^11 avril 2019/);
  expect(written('pt-br', '2019-04-01')).toMatch(/^1º de abril de 2019/);
  expect(written('pt-br', '2019-04-11')).toMatch(/^11 de abril/);
  expect(written('es', '2019-04-01')).toMatch(/^1 de abril de 2019(?:,| a las) 01:01:01\u00A0UTC$/);
  expect(written('ru', '2019-04-01')).toBe('1 апреля 2019\u00A0г. в\u00A001:01:01\u00A0UTC');
  expect(written('uk', '2019-04-01')).toBe('1 квітня 2019\u00A0р. о\u00A001:01:01\u00A0UTC');
  expect(written('ar', '2019-04-01')).toContain(' في\u00A001:01:01\u00A0UTC');
  expect(written('en', '2019-04-01')).toMatch(/^1 April 2019/);
});

const age = (fromMs: number, nowMs: number): string => FORMATS.span([fromMs, nowMs], ENGLISH.ui);

it.each([
  ['2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z', '1 month'],
  ['2024-02-29T12:00:00Z', '2025-02-28T11:59:59Z', '11 months, 29 days'],
  ['2026-11-14T22:58:00Z', '2026-11-15T00:00:00Z', '1 hour, 2 minutes'],
  ['2026-11-14T23:59:01Z', '2026-11-15T00:00:00Z', 'less than a minute'],
])('the time from %s to %s is told as %s', (from, now, words) =>
  expect(age(Date.parse(from), Date.parse(now)).replaceAll('\u00A0', ' ')).toBe(words),
);
