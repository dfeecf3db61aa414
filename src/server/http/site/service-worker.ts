import { createHash } from 'node:crypto';
import { LANGUAGE_CODES } from '#shared/languages.ts';
import { createStaticFile, type StaticFile } from './static-file.ts';

export type ServiceWorkerParts = {
  /** The page for when there is no network, in one of its languages. */
  readonly page: () => StaticFile | undefined;
  /** Everything that pages say in any language. */
  readonly allTexts: () => string;
  readonly files: readonly string[];
  readonly worker: string;
};

/** A browser replaces the worker, and with it the pages that it keeps, if a single byte of the worker has changed. */
export const createServiceWorker = (parts: ServiceWorkerParts): StaticFile => {
  const { page, allTexts, files, worker } = parts;
  const version = (): string =>
    createHash('sha256')
      .update(page()?.identity.bytes ?? '')
      .update(allTexts())
      .update(worker)
      .digest('hex')
      .slice(0, 16);
  const constants = (): string => JSON.stringify({ version: version(), files, languages: LANGUAGE_CODES });
  return createStaticFile(
    () => Buffer.from(`const {version,files,languages}=${constants()};${worker}`),
    'text/javascript; charset=utf-8',
  );
};
