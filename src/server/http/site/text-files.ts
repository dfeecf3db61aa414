import { hash } from 'node:crypto';
import { LANGUAGE_CODES, type Language } from '#shared/languages.ts';
import type { PageRenderer, TextUrls } from '#shared/page.ts';
import { TEXTS_PATH } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { createStaticFile, FOREVER, type StaticFile } from './static-file.ts';

export type TextFiles = {
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly urlsFor: (language: Language) => TextUrls;
};

/** The texts that pages fetch after their first paint. */
export const textFiles = (
  { renderRest, renderOffers }: Pick<PageRenderer, 'renderRest' | 'renderOffers'>,
  site: Site,
): TextFiles => {
  const files = new Map<string, StaticFile>();
  const add = (name: string, json: string): string => {
    const path = `${TEXTS_PATH}${name}-${hash('sha256', json).slice(0, 12)}.json`;
    const make = (): Buffer => Buffer.from(json);
    files.set(path, createStaticFile(make, 'application/json', FOREVER));
    return path;
  };
  const offers = add('offers', renderOffers(site));
  const rests = new Map(
    LANGUAGE_CODES.map((language) => [language, add(language, renderRest(language, site))]),
  );
  return { files, urlsFor: (language) => ({ rest: rests.get(language) ?? '', offers }) };
};
