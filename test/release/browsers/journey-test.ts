import { existsSync } from 'node:fs';
import { test as base } from '@playwright/test';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { startPlatform } from '#test/support/process-site.ts';
import type { Browser, JourneyBrowser } from './browser.ts';
import { FIREFOX_PROGRAMS, startFirefox } from './firefox.ts';
import { createVisitor, type Visitor } from './visitor.ts';
import { startWebKit, WEBKIT_PROGRAMS } from './webkit.ts';

type WorkerFixtures = {
  readonly journeyBrowser: JourneyBrowser;
  /** The name of a program where one is not installed. */
  readonly started: Browser | string;
  /** Its own server: the journeys change what it stores. */
  readonly server: { readonly origin: string; readonly sandbox: Sandbox };
};

export const test = base.extend<{ visitor: Visitor }, WorkerFixtures>({
  journeyBrowser: ['firefox', { option: true, scope: 'worker' }],
  started: [
    async ({ journeyBrowser }, use) => {
      const isFirefox = journeyBrowser === 'firefox';
      const missing = (isFirefox ? FIREFOX_PROGRAMS : WEBKIT_PROGRAMS).find((path) => !existsSync(path));
      if (missing !== undefined) return use(missing);
      await using browser = await (isFirefox ? startFirefox() : startWebKit());
      await use(browser);
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern
    async ({}, use) => {
      await using platform = await startPlatform();
      const { sandbox, env } = platform;
      const settings = { ...env, BOT_TOKENS: sandbox.mintToken(0), POW_MAX_NUMBER: '1000' };
      await using app = startAppProcess(settings);
      await use({ origin: await app.origin, sandbox });
    },
    { scope: 'worker' },
  ],
  visitor: async ({ started, server }, use, testInfo) => {
    if (typeof started === 'string') return testInfo.skip(true, `${started} is not installed.`);
    await using tab = await started.openTab();
    const visitor = createVisitor(tab, server.origin);
    await use(visitor);
    if (testInfo.error)
      await testInfo.attach('page', { body: await visitor.describePage(), contentType: 'text/plain' });
    await visitor.expectNoProblems();
  },
});
