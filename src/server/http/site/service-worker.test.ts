import { describe, expect, it } from 'vitest';
import { createServiceWorker } from './service-worker.ts';
import { createStaticFile } from './static-file.ts';

const page = (html: string) => () => createStaticFile(() => Buffer.from(html), 'text/html');
const parts = {
  page: page('<p>Offline</p>'),
  allTexts: () => '["Offline"]',
  files: ['/assets/a.js'],
  worker: 'work();',
};

const workerOf = (changes: Partial<typeof parts> = {}): string =>
  createServiceWorker({ ...parts, ...changes }).identity.bytes.toString();

describe('the service worker', () => {
  it('changes with the page, with any text and with its own code', () => {
    const workers = [
      workerOf(),
      workerOf({ page: page('<p>Still offline</p>') }),
      workerOf({ allTexts: () => '["Keine Verbindung"]' }),
      workerOf({ worker: 'rest();' }),
    ];
    expect(new Set(workers.map((worker) => /"version":"(\w{16})"/.exec(worker)?.[1])).size).toBe(4);
    expect(workerOf()).toBe(workers[0]);
  });

  it('is revalidated on every visit', () => {
    expect(createServiceWorker(parts).cacheControl).toBe('no-cache');
  });
});
