import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Status } from '#shared/contract/status.ts';
import { inPage } from '#test/support/texts.ts';
import { DayChart } from './day-chart.tsx';

type Hours = Status['last_24_hours'];

const hour = (n: number, served = 0, refused = 0, healthy = 0): Hours[number] => ({
  from: new Date(Date.UTC(2026, 10, 16, n)).toISOString(),
  served,
  refused,
  tokens_healthy: healthy,
});

const draw = (hours: Hours): string => renderToStaticMarkup(inPage(createElement(DayChart, { hours })));

/** Of the chart, without the signs of its legend. */
const shapes = (html: string) => {
  const chart = html.slice(html.indexOf('role="img"'));
  return {
    bars: [...chart.matchAll(/<rect x="([\d.]+)" width="7" y="([\d.]+)" height="([\d.]+)"/g)].map((match) =>
      match.slice(1).map(Number),
    ),
    lines: [...chart.matchAll(/<path d="([^"]*)"/g)].map(([, line]) => line),
  };
};

describe('the chart of the last day', () => {
  it('puts what was refused on what was served, and the last hour at the right end', () => {
    const { bars } = shapes(draw([hour(10, 30, 10, 2), hour(11, 20, 0, 1)]));
    expect(bars).toEqual([
      [61.5, 25, 75],
      [61.5, 0, 25],
      [71.5, 50, 50],
    ]);
  });

  it('shows one refused lookup among thousands, and nothing where there was none', () => {
    const { bars } = shapes(draw([hour(10, 0, 0), hour(11, 9_999, 1)]));
    expect(bars.map(([, , height]) => height)).toEqual([96, 4]);
  });

  it('has gaps where nothing is known', () => {
    const { lines } = shapes(draw([hour(8, 0, 0, 2), hour(10, 0, 0, 1), hour(11, 0, 0, 2)]));
    expect(lines.at(-1)).toBe('M40 0h10M60 50h10L70 0h10');
  });

  it('begins with the first hour that is known, but is never of a few hours only', () => {
    expect(draw([hour(0), hour(23)])).toContain('<span>00:00 UTC</span>');
    expect(draw([hour(20)])).toContain('<span>13:00 UTC</span>');
  });
});
