import { createHash } from 'node:crypto';
import { createStaticFile, type StaticFile } from './static-file.ts';

export type ServiceWorkerParts = {
  /** The page for when there is no network, in one of its languages. */
  readonly page: () => StaticFile | undefined;
  /** Everything that pages say in any language. */
  readonly allTexts: () => string;
  /** The code that keeps the page. */
  readonly worker: string;
  /** False: the worker deletes what it kept, and itself. */
  readonly wanted: boolean;
};

/** A browser replaces the worker, and with it the pages that it keeps, if a single byte of the worker has changed. */
export const createServiceWorker = ({ page, allTexts, worker, wanted }: ServiceWorkerParts): StaticFile => {
  const version = (): string =>
    createHash('sha256')
      .update(page()?.identity.bytes ?? '')
      .update(allTexts())
      .update(worker)
      .digest('hex')
      .slice(0, 16);
  return createStaticFile(
    () => Buffer.from(`const version=${JSON.stringify(wanted ? version() : '')};${worker}`),
    'text/javascript; charset=utf-8',
  );
};
