import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { Time } from './time.tsx';

afterEach(() => vi.unstubAllEnvs());

it.each(['Asia/Tokyo', 'America/New_York', 'UTC'])('is sent in UTC alone by a server in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  const html = renderToString(createElement(Time, { iso: '2026-09-30T04:05:06.000Z' }));
  expect(html.replaceAll('<!-- -->', '')).toBe(
    '<time dateTime="2026-09-30T04:05:06.000Z">30 September 2026 at 04:05:06 UTC </time>',
  );
});
