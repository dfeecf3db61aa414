import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#test/support/free-port.ts';
import type { Part } from '../suite.ts';
import { demand, quote, say } from './checks.ts';
import { createOrdinaryUser, openShell } from './ordinary-user.ts';
import { blocksIn } from './runbook.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CADDY = ['/usr/bin/caddy', join(ROOT, '.tools/usr/bin/caddy')].find(existsSync);
const CURL = '/usr/bin/curl';
const PORTS = /(?<=_PORT=|\bPORT=|localhost:|127\.0\.0\.1:)\d{4}\b/g;

/** The commands as they are printed but for the ports: those may be taken here. */
const readChapter = async (): Promise<readonly string[]> => {
  const chapter = readFileSync(join(ROOT, 'docs/rehearsal.md'), 'utf8');
  const ports = new Map<string, string>();
  for (const [printed] of chapter.matchAll(PORTS)) ports.set(printed, String(await freePort()));
  return blocksIn(chapter.replaceAll(PORTS, (printed) => ports.get(printed) ?? printed));
};

export const chapter: Part<unknown> = {
  name: 'the chapter "Rehearsal", as an ordinary user',
  whyNot: () =>
    CADDY === undefined ? 'Caddy cannot be had here' : existsSync(CURL) ? null : 'curl is missing',
  run: async () => {
    const blocks = await readChapter();
    using user = createOrdinaryUser([process.execPath, CADDY ?? '']);
    const shell = openShell({ cwd: user.clone, env: user.env, ...user.ids });
    try {
      for (const block of blocks) {
        say(block.trimEnd().replaceAll(/^/gm, '$ '));
        quote(await shell.run(block));
      }
      const left = user.leftovers();
      demand(`nothing is left${left.map((one) => `, but ${one}`).join('')}`, left.length === 0);
    } finally {
      await shell.close();
    }
    return { count: blocks.length, broken: 0 };
  },
};
