import { describe, expect, it } from 'vitest';
import { offlineFiles } from './offline-files.ts';

const rendering = (html: string) => () => Buffer.from(html);
const parts = { renderPage: rendering('<p>Offline</p>'), worker: 'const files=[];', wanted: true };

const workerOf = (changes: Partial<typeof parts> = {}): string =>
  offlineFiles({ ...parts, ...changes })
    .get('/service-worker.js')
    ?.identity.bytes.toString() ?? '';

describe('the worker that keeps a page for when there is no network', () => {
  it('is another as soon as the page or its own code is', () => {
    const workers = [
      workerOf(),
      workerOf({ renderPage: rendering('<p>Still offline</p>') }),
      workerOf({ worker: 'const files=["/assets/a.js"];' }),
    ];
    expect(new Set(workers.map((worker) => /^const version="(\w{16})";/.exec(worker)?.[1])).size).toBe(3);
    expect(workerOf()).toBe(workers[0]);
  });

  it('is empty-handed where none is wanted, whatever the page', () => {
    expect(workerOf({ wanted: false })).toBe('const version="";const files=[];');
  });

  it('is revalidated on every visit, and so is its page', () => {
    expect([...offlineFiles(parts)].map(([path, file]) => [path, file.cacheControl])).toEqual([
      ['/service-worker.js', 'no-cache'],
      ['/offline.html', 'no-cache'],
    ]);
  });
});
