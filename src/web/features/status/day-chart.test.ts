import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Status } from '#shared/contract/status.ts';
import { inPage } from '#test/support/texts.ts';
import { DayChart } from './day-chart.tsx';

type Hours = Status['last_24_hours'];

const hour = (n: number, served = 0, refused = 0): Hours[number] => ({
  from: new Date(Date.UTC(2026, 10, 16, n)).toISOString(),
  served,
  refused,
  tokens_healthy: 0,
});

/** Without the signs of the legend. */
const draw = (hours: Hours) => {
  const html = renderToStaticMarkup(inPage(createElement(DayChart, { hours })));
  const chart = html.slice(html.indexOf('role="img"'));
  const bars = chart.matchAll(/<rect x="([\d.]+)" width="7" y="([\d.]+)" height="([\d.]+)"/g);
  return [...bars].map((bar) => bar.slice(1).map(Number));
};

it('the chart puts what was refused on what was served, and shows one refusal among thousands', () => {
  expect(draw([hour(10, 30, 10), hour(11, 20)])).toEqual([
    [61.5, 25, 75],
    [61.5, 0, 25],
    [71.5, 50, 50],
  ]);
  expect(draw([hour(10), hour(11, 9_999, 1)]).map(([, , height]) => height)).toEqual([96, 4]);
});
