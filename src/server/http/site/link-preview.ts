import type { Clock } from '#server/system.ts';
import { parseSnowflake, snowflakeCreatedMs } from '#shared/snowflake.ts';
import { createOneOffFile, type StaticFile } from './static-file.ts';

/** The lookup page as a shared link shows it, or null if the text is no id. */
export type LinkPreview = (idText: unknown) => StaticFile | null;

const START = '<!--preview-->';
const END = '<!--/preview-->';

/**
 * A preview tells what the id itself tells, the day it was made: never a profile, and never at the cost of a token.
 */
export const createLinkPreview = (page: StaticFile, platformName: string, clock: Clock): LinkPreview => {
  const html = page.identity.bytes.toString('utf8');
  const [before = '', rest = ''] = html.split(START, 2);
  const after = rest.slice(rest.indexOf(END) + END.length);

  return (idText) => {
    if (typeof idText !== 'string' || rest === '') return null;
    const parsed = parseSnowflake(idText, clock.wallMs());
    if (!parsed.ok) return null;
    const createdUtc = new Date(snowflakeCreatedMs(parsed.id)).toISOString();
    const day = createdUtc.slice(0, 10);
    const tags = [
      ['og:title', `${escapeHtml(platformName)} ID ${parsed.id}`],
      [
        'og:description',
        `Created on ${day} at ${createdUtc.slice(11, 16)} UTC. Open the link to look it up.`,
      ],
    ].map(([property, content]) => `<meta property="${property}" content="${content}"/>`);
    return createOneOffFile(Buffer.from(before + tags.join('') + after), page.contentType);
  };
};

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
