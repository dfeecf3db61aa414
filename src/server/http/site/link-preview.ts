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
/** Ends where the id belongs. */
const ID_FIELD = /<input\b[^>]*\bname="id"[^>]*\bvalue="(?=")/;

export type LinkPreviewDeps = {
  readonly pages: Pick<LanguagePages, 'linkPage' | 'describeLink' | 'urlOf'>;
  readonly clock: Clock;
};

/**
 * A preview tells what can be read from the id itself, when it was created: never a profile, which would cost a token.
 * The id is filled in already, for browsers without scripts.
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

/** The page without its preview, open there and where the id belongs. Null if it has no preview. */
const split = ({ identity, contentType }: StaticFile): Splice | null => {
  const [before = '', rest] = identity.bytes.toString('utf8').split(START, 2);
  if (rest === undefined) return null;
  const after = rest.slice(rest.indexOf(END) + END.length);
  const field = ID_FIELD.exec(after);
  if (field === null) return createSplicedFile([before, after], contentType);
  const fieldEnd = field.index + field[0].length;
  return createSplicedFile([before, after.slice(0, fieldEnd), after.slice(fieldEnd)], contentType);
};
