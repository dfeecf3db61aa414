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
    ['UTC', undefined],
    ['Atlantic/Reykjavik', undefined],
    ['Europe/Berlin', '18:20'],
    ['Asia/Kolkata', '21:50'],
    ['Asia/Tokyo', '5 May, 01:20'],
    ['Pacific/Honolulu', '06:20'],
  ])('in %s is %s', (timeZone, local) => {
    vi.stubEnv('TZ', timeZone);
    expect(localTimeOf(FORMATS, Date.parse('2018-05-04T16:20:17Z'))).toBe(local);
  });

  it('has its year where that is another one', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    expect(localTimeOf(FORMATS, Date.parse('2018-12-31T16:20:17Z'))).toBe('1 Jan 2019, 01:20');
  });
});
