import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FORMATS, inPage } from '#test/support/texts.ts';
import { localTimeOf, Time } from './time.tsx';

afterEach(() => vi.unstubAllEnvs());

it.each(['Asia/Tokyo', 'America/New_York', 'UTC'])('is sent in UTC alone by a server in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  const html = renderToString(inPage(createElement(Time, { iso: '2026-09-30T04:05:06.000Z' })));
  expect(html.replaceAll('<!-- -->', '')).toBe(
    '<time dateTime="2026-09-30T04:05:06.000Z">30 September 2026 at 04:05:06 UTC</time>',
  );
});

describe('the time at the visitor’s', () => {
  it.each([
    ['UTC', 0, undefined],
    ['Atlantic/Reykjavik', 0, undefined],
    ['Europe/Berlin', -120, '18:20'],
    ['Asia/Kolkata', -330, '21:50'],
    ['Asia/Tokyo', -540, '5 May, 01:20'],
    ['Pacific/Honolulu', 600, '06:20'],
  ])('in %s, %i minutes behind, is %s', (_, minutesBehind, local) => {
    expect(localTimeOf(FORMATS, Date.parse('2018-05-04T16:20:17Z'), minutesBehind)).toBe(local);
  });

  it('has its year where that is another one', () => {
    expect(localTimeOf(FORMATS, Date.parse('2018-12-31T16:20:17Z'), -540)).toBe('1 Jan 2019, 01:20');
  });
});
