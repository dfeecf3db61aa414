import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createEvents, type Events } from './events.ts';

const seriesAfter = async (happen: (events: Events) => void): Promise<ReadonlyMap<string, number>> => {
  const events = createEvents(pino({ enabled: false }));
  happen(events);
  const text = events.registry.render();
  return new Map(
    [...text.matchAll(/^(\w.*) (\S+)$/gm)].map(([, series = '', value]) => [series, Number(value)]),
  );
};

describe('requestAnswered', () => {
  const series = seriesAfter(({ requestAnswered }) => {
    requestAnswered('/lookup', 200, 30);
    requestAnswered('/lookup', 200, 70);
    requestAnswered('/lookup', 503, 5_000);
    requestAnswered('/assets/app-1a2b3c4d.js', 200, 0);
    requestAnswered('/assets/style-5e6f7a8b.css', 304, 0);
    requestAnswered('/:name', 302, 1);
    requestAnswered('/:language(^(?:de|ar)$)', 200, 1);
    requestAnswered('/:language(^(?:de|ar)$)/donate', 200, 1);
    requestAnswered('/', 200, 1);
    requestAnswered(undefined, 404, 1);
  });

  it('counts by route and status, and a folder of files as one route', async () => {
    const requests = [...(await series)].filter(([name]) => name.startsWith('whoflake_http_requests_total{'));
    expect(requests.map(([name, value]) => `${/\{.*\}/.exec(name)?.[0]} ${value}`)).toEqual([
      '{route="/lookup",status="200"} 2',
      '{route="/lookup",status="503"} 1',
      '{route="/assets/*",status="200"} 1',
      '{route="/assets/*",status="304"} 1',
      '{route="/:name",status="302"} 1',
      '{route="/:language",status="200"} 1',
      '{route="/:language/*",status="200"} 1',
      '{route="/",status="200"} 1',
      '{route="unknown",status="404"} 1',
    ]);
  });

  it('keeps the durations of each', async () => {
    const all = await series;
    const durations = 'whoflake_http_request_duration_seconds';
    const read = (route: string) =>
      ['count', 'sum'].map((what) => all.get(`${durations}_${what}{route="${route}"}`));
    expect(read('/lookup')).toEqual([3, 5.1]);
    expect(read('/assets/*')).toEqual([2, 0]);
  });
});

describe('a counter', () => {
  it('starts at zero for every outcome that is known beforehand', async () => {
    const series = await seriesAfter(() => {});
    const outcomesOf = (name: string) =>
      [...series].flatMap(([key, value]) =>
        key.startsWith(`${name}{`) ? [`${key.split('"')[1]} ${value}`] : [],
      );
    expect(outcomesOf('whoflake_lookups_total')).toEqual([
      'found 0',
      'not-found 0',
      'internal 0',
      'platform-failed 0',
      'platform-paused 0',
      'platform-timeout 0',
      'pool-busy 0',
      'pool-empty 0',
    ]);
    expect(outcomesOf('whoflake_withdrawals_total')).toEqual([
      'accepted 0',
      'internal 0',
      'storage-failed 0',
    ]);
    expect(outcomesOf('whoflake_leases_total')).toContain('aborted 0');
    expect(outcomesOf('whoflake_donations_total')).toContain('token-known 0');
  });
});
