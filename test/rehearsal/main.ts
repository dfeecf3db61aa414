import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { rehearseBareMachine } from './bare-machine.ts';
import { startLookupLoop, type LookupLoop } from './lookup-loop.ts';
import { readRehearsal } from './runbook.ts';
import { openShell } from './shell.ts';

const ROOT = join(import.meta.dirname, '../..');
const CHROMIUM_ARGS = [
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
    args: CHROMIUM_ARGS,
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
  process.stdout.write(`  in Chromium, /moonbase: ${found}\n`);
  if (found !== expected) throw new Error(`Expected ${expected}.`);
};

const rehearse = async (): Promise<void> => {
  const { site, blocks } = await readRehearsal();
  const tools = join(ROOT, '.tools/usr/bin');
  const shell = openShell(ROOT, `${process.env['PATH'] ?? ''}:${tools}`);
  let loop: LookupLoop | undefined;
  const endLoop = async (): Promise<void> => {
    const { lookups = 0, failures = [] } = (await loop?.end()) ?? {};
    process.stdout.write(
      `  lookups meanwhile: ${lookups}, failed: ${failures.length} ${failures[0] ?? ''}\n`,
    );
    if (failures.length > 0) throw new Error('Lookups failed.');
  };
  const moments: readonly Moment[] = [
    { after: /caddy run/, act: async () => void (loop = startLookupLoop(site)) },
    { after: /vanity add/, act: () => expectFollowed(site, 'https://discord.gg/whoflake') },
    { after: /vanity check/, act: () => expectFollowed(site, 'This link is paused') },
    { after: /backup/, act: endLoop },
  ];

  try {
    for (const block of blocks) {
      process.stdout.write(`\n${block.trimEnd().replaceAll(/^/gm, '$ ')}\n`);
      process.stdout.write(`${(await shell.run(block)).replaceAll(/^/gm, '  ')}\n`);
      for (const { act } of moments.filter(({ after }) => after.test(block))) await act();
    }
  } finally {
    await shell.close();
  }
};

await rehearseBareMachine();
await rehearse();
process.stdout.write('\nThe rehearsal went through.\n');
