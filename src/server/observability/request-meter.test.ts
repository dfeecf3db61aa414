import { describe, expect, it } from 'vitest';
import { createRequestMeter } from './request-meter.ts';

const meter = createRequestMeter();
meter.answered('/lookup', 200, 30);
meter.answered('/lookup', 200, 70);
meter.answered('/lookup', 503, 5_000);
meter.answered('/assets/app-1a2b3c4d.js', 200, 0);
meter.answered('/assets/style-5e6f7a8b.css', 304, 0);
meter.answered('/:name', 302, 1);
meter.answered('/', 200, 1);
meter.answered(undefined, 404, 1);

describe('createRequestMeter', () => {
  it('counts by route and status, and a folder of files as one route', () => {
    const statuses = [...meter.routes].map(([route, figures]) => [route, [...figures.statuses]]);
    expect(statuses).toEqual([
      ['/lookup', [[200, 2], [503, 1]]], // prettier-ignore
      ['/assets/*', [[200, 1], [304, 1]]], // prettier-ignore
      ['/:name', [[302, 1]]],
      ['/', [[200, 1]]],
      ['unknown', [[404, 1]]],
    ]);
  });

  it('keeps the durations of each', () => {
    expect(meter.routes.get('/lookup')?.durations.read()).toMatchObject({ count: 3, sumSeconds: 5.1 });
    expect(meter.routes.get('/assets/*')?.durations.read()).toMatchObject({ count: 2, sumSeconds: 0 });
  });
});
