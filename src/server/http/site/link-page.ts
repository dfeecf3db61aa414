import { gzipSync } from 'node:zlib';
import type { Linked } from '#shared/site.ts';
import { encodedBody, NO_CACHE, type StaticFile } from './static-file.ts';

/** What the page is rendered with once: names in braces, each to be replaced by what an id tells. */
export const LINK_GAPS: Linked = {
  id: '{{id}}',
  createdIso: '{{createdIso}}',
  created: '{{created}}',
  age: '{{age}}',
  place: '{{place}}',
  title: '{{title}}',
  description: '{{description}}',
};

const GAP = /\{\{(\w+)\}\}/g;
/** Would be markup in a page, or end a text in its data. Dates in words contain none of them. */
const UNSAFE = /["&<>\\]/g;

/** Fast rather than small: it is compressed for each answer. */
const LEVEL = 1;

/** The page of a link to a profile, which differs only in what its id tells. */
export const createLinkPage = (render: () => string): ((linked: Linked) => StaticFile) => {
  let page: string | undefined;
  return (linked) => {
    page ??= render();
    const gaps: Readonly<Record<string, string>> = linked;
    const bytes = Buffer.from(
      page.replaceAll(GAP, (_, name: string) => (gaps[name] ?? '').replaceAll(UNSAFE, '')),
    );
    return {
      contentType: 'text/html; charset=utf-8',
      cacheControl: NO_CACHE,
      identity: encodedBody(bytes, ''),
      get gzip() {
        return encodedBody(gzipSync(bytes, { level: LEVEL }), '-gz');
      },
    };
  };
};
