import type { Clock } from '#server/system.ts';
import { parseSnowflake } from '#shared/snowflake.ts';
import { escapeHtml } from './escape-html.ts';
import type { LanguagePages } from './language-pages.ts';
import { createSplicedFile, type Splice } from './spliced-file.ts';
import type { StaticFile } from './static-file.ts';

/** The lookup page for a shared link, or null if the text is not an id. */
export type LinkPreview = (idText: unknown) => StaticFile | null;

const START = '<!--preview-->';
const END = '<!--/preview-->';
/** Matches up to where the id goes. */
const ID_FIELD = /<input\b[^>]*\bname="id"[^>]*\bvalue="(?=")/;

export type LinkPreviewDeps = {
  readonly pages: Pick<LanguagePages, 'linkPage' | 'describeLink' | 'urlOf'>;
  readonly clock: Clock;
};

/**
 * A preview shows only what the id itself reveals, its creation date; a profile would cost a token. The field already
 * contains the id, for browsers without scripts.
 */
export const createLinkPreview = ({ pages, clock }: LinkPreviewDeps): LinkPreview => {
  let splice: Splice | null | undefined;

  return (idText) => {
    if (typeof idText !== 'string') return null;
    const parsed = parseSnowflake(idText, clock.wallMs());
    if (!parsed.ok) return null;
    splice ??= split(pages.linkPage);
    if (splice === null) return null;
    const { title, description } = pages.describeLink(parsed.id, clock.wallMs());
    const tags = [
      ['og:url', pages.urlOf(`/?id=${parsed.id}`)],
      ['og:title', title],
      ['og:description', description],
    ].map(([property, content = '']) => `<meta property="${property}" content="${escapeHtml(content)}"/>`);
    return splice([tags.join(''), parsed.id]);
  };
};

/** Cuts the page at its preview, which is left out, and where the id goes. Null if it has no preview. */
const split = ({ identity, contentType }: StaticFile): Splice | null => {
  const [before = '', rest] = identity.bytes.toString('utf8').split(START, 2);
  if (rest === undefined) return null;
  const after = rest.slice(rest.indexOf(END) + END.length);
  const field = ID_FIELD.exec(after);
  if (field === null) return createSplicedFile([before, after], contentType);
  const fieldEnd = field.index + field[0].length;
  return createSplicedFile([before, after.slice(0, fieldEnd), after.slice(fieldEnd)], contentType);
};
