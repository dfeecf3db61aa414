import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { FORMATS, inPage } from '#test/support/texts.ts';
import { localTimeOf, Time } from './time.tsx';

afterEach(() => vi.unstubAllEnvs());

it.each(['Asia/Tokyo', 'UTC'])('a server in %s sends a time in UTC alone', (zone) => {
  vi.stubEnv('TZ', zone);
  const html = renderToString(inPage(createElement(Time, { iso: '2026-09-30T04:05:06.000Z' })));
  expect(html.replaceAll('<!-- -->', '')).toBe(
    '<time dateTime="2026-09-30T04:05:06.000Z">30 September 2026 at 04:05:06\u00A0UTC</time>',
  );
});

it.each([
  ['2018-05-04T16:20:17Z', 0, undefined],
  ['2018-05-04T16:20:17Z', -330, '21:50'],
  ['2018-05-04T16:20:17Z', -540, '5 May, 01:20'],
  ['2018-12-31T16:20:17Z', -540, '1 Jan 2019, 01:20'],
])('the time %s is for a visitor who is %i minutes behind %s', (iso, minutesBehind, local) => {
  expect(localTimeOf(FORMATS, Date.parse(iso), minutesBehind)).toBe(local);
});
