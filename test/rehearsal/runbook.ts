import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#test/support/free-port.ts';

const RUNBOOK = join(import.meta.dirname, '../../docs/operations.md');
const CHAPTER = '## Rehearsal';
const PORTS = /(?<=_PORT=|\bPORT=|localhost:|127\.0\.0\.1:)\d{4}\b/g;

export type Rehearsal = {
  /** Where the site is reached through Caddy. */
  readonly site: string;
  /** The commands, block by block, as they are printed in the runbook but for the ports: those may be taken here. */
  readonly blocks: readonly string[];
};

export const readRehearsal = async (): Promise<Rehearsal> => {
  const [, chapter = ''] = readFileSync(RUNBOOK, 'utf8').split(CHAPTER, 2);
  const ports = new Map<string, string>();
  for (const [printed] of chapter.matchAll(PORTS)) ports.set(printed, String(await freePort()));
  const text = chapter.replaceAll(PORTS, (printed) => ports.get(printed) ?? printed);
  const [, site = ''] = /^PUBLIC_URL=(\S+)$/m.exec(text) ?? [];
  return { site, blocks: [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block) };
};
