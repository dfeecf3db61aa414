import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { distinctIds } from '#test/support/many-lookups.ts';
import { createVisitors, faultOf, verdictOf } from '../load/visitors.ts';
import { demand, quote, say, type Rehearsal } from './checks.ts';
import { createOrdinaryUser, openShell } from './ordinary-user.ts';
import { readRehearsal } from './runbook.ts';

const CADDY = ['/usr/bin/caddy', join(import.meta.dirname, '../../../.tools/usr/bin/caddy')].find(existsSync);
const CURL = '/usr/bin/curl';

/** Opens the link in a real browser and resolves to the address that it was redirected to. */
const followInBrowser = async (site: string, path: string): Promise<string> => {
  await using browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost',
    ],
  });
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  let last = '';
  page.on('request', (request) => {
    if (request.isNavigationRequest()) last = request.url();
  });
  // The browser finds no other host, so a redirect to one ends in an error.
  await page.goto(site + path).catch(() => undefined);
  return last.startsWith(site) ? await page.getByRole('heading', { level: 1 }).innerText() : last;
};

const expectFollowed = async (site: string, expected: string): Promise<void> => {
  const found = await followInBrowser(site, '/moonbase');
  demand(`/moonbase in Chromium: ${found}`, found === expected);
};

/** One lookup after the other until it is disposed of; then none may have failed. */
const keepLookingUp = (site: string): AsyncDisposable => {
  const visitors = createVisitors(() => site);
  const ids = distinctIds(10_000, 7);
  const over = new AbortController();
  const failures: string[] = [];
  let lookups = 0;
  const lookUp = async (): Promise<void> => {
    const answer = await visitors.next().ask('/lookup', { discord_id: ids[lookups % ids.length] });
    if (faultOf(answer) !== null || answer.code !== undefined) failures.push(verdictOf(answer));
  };
  const running = (async () => {
    for (; !over.signal.aborted; lookups += 1)
      await lookUp().catch((error: unknown) => failures.push(String(error)));
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await running;
      await visitors[Symbol.asyncDispose]();
      demand(
        `${lookups} lookups meanwhile, failed: ${failures.length} ${failures[0] ?? ''}`,
        failures.length === 0,
      );
    },
  };
};

const rehearse = async (): Promise<void> => {
  const { site, blocks } = await readRehearsal();
  using user = createOrdinaryUser([process.execPath, CADDY ?? '']);
  const shell = openShell({ cwd: user.clone, env: user.env, ...user.ids });
  let looking: AsyncDisposable | undefined;
  const endLookups = async (): Promise<void> => {
    const ending = looking;
    looking = undefined;
    await ending?.[Symbol.asyncDispose]();
  };
  const moments = [
    { after: /caddy run/, act: async () => void (looking = keepLookingUp(site)) },
    { after: /vanity add/, act: () => expectFollowed(site, 'https://discord.gg/whoflake') },
    { after: /vanity check/, act: () => expectFollowed(site, 'This link is paused') },
    { after: /ops backup/, act: endLookups },
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
    await endLookups();
  }
};

export const chapter: Rehearsal = {
  name: 'the chapter "Rehearsal", as an ordinary user',
  whyNot: () =>
    CADDY === undefined ? 'Caddy cannot be had here' : existsSync(CURL) ? null : 'curl is missing',
  rehearse,
};
