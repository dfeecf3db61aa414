import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { startLookupLoop, type LookupLoop } from './lookup-loop.ts';
import { createOrdinaryUser } from './ordinary-user.ts';
import { demand, quote, say, type Part } from './part.ts';
import { readRehearsal } from './runbook.ts';
import { openShell } from './shell.ts';

const CADDY = ['/usr/bin/caddy', join(import.meta.dirname, '../../.tools/usr/bin/caddy')].find(existsSync);
const CURL = '/usr/bin/curl';
const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost',
];

/** Opens the link in a real browser, and tells which address it was led to. */
const followInBrowser = async (site: string, path: string): Promise<string> => {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: BROWSER_ARGS,
  });
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) asked.push(request.url());
    });
    // The browser finds no other host, so that being led away ends in an error; a page of ours does not.
    await page.goto(site + path).catch(() => undefined);
    const [last = ''] = asked.slice(-1);
    return last.startsWith(site) ? await page.getByRole('heading', { level: 1 }).innerText() : last;
  } finally {
    await browser.close();
  }
};

type Moment = { readonly after: RegExp; readonly act: () => Promise<unknown> };

const expectFollowed = async (site: string, expected: string): Promise<void> => {
  const found = await followInBrowser(site, '/moonbase');
  demand(`/moonbase in Chromium: ${found}`, found === expected);
};

const endLoop = async (loop: LookupLoop): Promise<void> => {
  const { lookups, failures } = await loop.end();
  demand(
    `${lookups} lookups meanwhile, failed: ${failures.length} ${failures[0] ?? ''}`,
    failures.length === 0,
  );
};

const rehearse = async (): Promise<void> => {
  const { site, blocks } = await readRehearsal();
  using user = createOrdinaryUser([process.execPath, CADDY ?? '']);
  const shell = openShell({ cwd: user.clone, env: user.env, ...user.ids });
  let loop: LookupLoop | undefined;
  const moments: readonly Moment[] = [
    { after: /caddy run/, act: async () => void (loop = startLookupLoop(site)) },
    { after: /vanity add/, act: () => expectFollowed(site, 'https://discord.gg/whoflake') },
    { after: /vanity check/, act: () => expectFollowed(site, 'This link is paused') },
    {
      after: /ops backup/,
      act: async () => {
        if (loop !== undefined) await endLoop(loop);
        loop = undefined;
      },
    },
  ];
  try {
    for (const block of blocks) {
      say(block.trimEnd().replaceAll(/^/gm, '$ '));
      quote(await shell.run(block));
      for (const { act } of moments.filter(({ after }) => after.test(block))) await act();
    }
    const left = user.leftovers();
    demand(`nothing is left${left.map((one) => `, but ${one}`).join('')}`, left.length === 0);
  } finally {
    await shell.close();
    await loop?.end();
  }
};

export const chapter: Part = {
  name: 'the chapter "Rehearsal", as an ordinary user',
  whyNot: () =>
    CADDY === undefined ? 'Caddy cannot be had here' : existsSync(CURL) ? null : 'curl is missing',
  rehearse,
};
