import { createHash } from 'node:crypto';
import { createStaticFile, type StaticFile } from './static-file.ts';

export type OfflineParts = {
  /** The page for when there is no network. */
  readonly renderPage: () => Buffer;
  /** The code of the service worker that keeps the page. */
  readonly worker: string;
  /** If not, the worker deletes what it kept, and itself. */
  readonly wanted: boolean;
};

/** A browser replaces the worker, and with it the page, if a single byte of the worker has changed. */
export const offlineFiles = ({
  renderPage,
  worker,
  wanted,
}: OfflineParts): ReadonlyMap<string, StaticFile> => {
  const page = createStaticFile(renderPage, 'text/html; charset=utf-8');
  const version = (): string =>
    wanted ? createHash('sha256').update(page.identity.bytes).update(worker).digest('hex').slice(0, 16) : '';
  return new Map([
    [
      '/service-worker.js',
      createStaticFile(
        () => Buffer.from(`const version=${JSON.stringify(version())};${worker}`),
        'text/javascript; charset=utf-8',
      ),
    ],
    ['/offline.html', page],
  ]);
};
