import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Status } from '#shared/contract/status.ts';
import { inPage } from '#test/support/texts.ts';
import { DayChart } from './day-chart.tsx';

const hour = (
  n: number,
  served: number,
  refused: number,
  tokens: number,
): Status['last_24_hours'][number] => ({
  from: `2026-11-16T${n}:00:00.000Z`,
  served,
  refused,
  tokens_healthy: tokens,
});

it('the latest hour comes first, and one refusal can be seen among thousands', () => {
  const hours = [hour(10, 30, 10, 2), hour(11, 40, 0, 5), hour(12, 9_999, 1, 0)];
  const html = renderToStaticMarkup(inPage(createElement(DayChart, { hours })));
  const rows = html.split('<tr>').slice(2);
  expect(rows.map((row) => /\d\d:\d\d(?=<)/.exec(row)?.[0])).toEqual(['12:00', '11:00', '10:00']);
  const bars = rows.map((row) => [...row.matchAll(/width="([\d.]+)%"/g)].map(([, width]) => width));
  expect(bars).toEqual([
    ['100.0', '2.0'],
    ['2.0', '100.0'],
    ['2.0', '2.0', '40.0'],
  ]);
});
