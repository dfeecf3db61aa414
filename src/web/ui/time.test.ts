import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { localTimeOf, Time } from './time.tsx';

afterEach(() => vi.unstubAllEnvs());

it.each(['Asia/Tokyo', 'America/New_York', 'UTC'])('is sent in UTC alone by a server in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  const html = renderToString(createElement(Time, { iso: '2026-09-30T04:05:06.000Z' }));
  expect(html.replaceAll('<!-- -->', '')).toBe(
    '<time dateTime="2026-09-30T04:05:06.000Z">30 September 2026 at 04:05:06 UTC</time>',
  );
});

describe('the time at the visitor’s', () => {
  it.each([
    ['UTC', undefined],
    ['Atlantic/Reykjavik', undefined],
    ['Europe/Berlin', '18:20:17'],
    ['Asia/Kolkata', '21:50:17'],
    ['Asia/Tokyo', '5 May 2018 at 01:20:17'],
    ['Pacific/Honolulu', '06:20:17'],
  ])('in %s is %s', (timeZone, local) => {
    expect(localTimeOf(new Date('2018-05-04T16:20:17Z'), timeZone)).toBe(local);
  });
});
