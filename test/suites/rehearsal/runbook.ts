import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#test/support/free-port.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const PORTS = /(?<=_PORT=|\bPORT=|localhost:|127\.0\.0\.1:)\d{4}\b/g;

/** The text below a heading such as `## Upgrade`, up to the next of its level. */
const readChapter = (heading: string, document: string): string => {
  const text = readFileSync(join(DOCS, document), 'utf8');
  const [, chapter] = text.split(`\n${heading}\n`, 2);
  if (chapter === undefined) throw new Error(`${document} has no chapter "${heading}".`);
  const [level = ''] = heading.split(' ', 1);
  return chapter.split(new RegExp(`\\n#{1,${level.length}} `), 1)[0] ?? '';
};

const blocksIn = (text: string): string[] =>
  [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);

/** The commands of a chapter, block by block, as they are printed. */
export const readBlocks = (heading: string, document = 'operations.md'): readonly string[] =>
  blocksIn(readChapter(heading, document));

/** Where the site is reached through Caddy, and the commands as they are printed but for the ports: those may be taken here. */
export const readRehearsal = async () => {
  const chapter = readFileSync(join(DOCS, 'rehearsal.md'), 'utf8');
  const ports = new Map<string, string>();
  for (const [printed] of chapter.matchAll(PORTS)) ports.set(printed, String(await freePort()));
  const text = chapter.replaceAll(PORTS, (printed) => ports.get(printed) ?? printed);
  const [, site = ''] = /^PUBLIC_URL=(\S+)$/m.exec(text) ?? [];
  return { site, blocks: blocksIn(text) };
};
