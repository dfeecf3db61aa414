import { describe, expect, it } from 'vitest';
import { offlineFiles } from './offline-files.ts';

const rendering = (html: string) => () => Buffer.from(html);
const parts = { renderPage: rendering('<p>Offline</p>'), worker: 'const files=[];', wanted: true };

const workerOf = (changes: Partial<typeof parts> = {}): string =>
  offlineFiles({ ...parts, ...changes })
    .get('/service-worker.js')
    ?.identity.bytes.toString() ?? '';

describe('the service worker', () => {
  it('changes with the page and with its own code', () => {
    const workers = [
      workerOf(),
      workerOf({ renderPage: rendering('<p>Still offline</p>') }),
      workerOf({ worker: 'const files=["/assets/a.js"];' }),
    ];
    expect(new Set(workers.map((worker) => /^const version="(\w{16})";/.exec(worker)?.[1])).size).toBe(3);
    expect(workerOf()).toBe(workers[0]);
  });

  it('has no version where no page is to be kept', () => {
    expect(workerOf({ wanted: false })).toBe('const version="";const files=[];');
  });

  it('is revalidated on every visit, like its page', () => {
    expect([...offlineFiles(parts)].map(([path, file]) => [path, file.cacheControl])).toEqual([
      ['/service-worker.js', 'no-cache'],
      ['/offline.html', 'no-cache'],
    ]);
  });
});
