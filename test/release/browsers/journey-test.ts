import { test as base } from '@playwright/test';
import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { missingOf, type Browser, type JourneyBrowser } from './browser.ts';
import { FIREFOX_PROGRAMS, startFirefox } from './firefox.ts';
import { createVisitor, type Visitor } from './visitor.ts';
import { startWebKit, WEBKIT_PROGRAMS } from './webkit.ts';

type WorkerFixtures = {
  readonly journeyBrowser: JourneyBrowser;
  /** Null where its programs are not installed. */
  readonly startedBrowser: Browser | null;
  /** Its own server: the journeys change what it stores. */
  readonly server: { readonly origin: string; readonly sandbox: Sandbox };
};

const BROWSERS = {
  firefox: { programs: FIREFOX_PROGRAMS, start: startFirefox },
  webkit: { programs: WEBKIT_PROGRAMS, start: startWebKit },
};

export const test = base.extend<{ visitor: Visitor }, WorkerFixtures>({
  journeyBrowser: ['firefox', { option: true, scope: 'worker' }],
  startedBrowser: [
    async ({ journeyBrowser }, use) => {
      const { programs, start } = BROWSERS[journeyBrowser];
      if (missingOf(programs) !== null) return use(null);
      await using browser = await start();
      await use(browser);
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern
    async ({}, use) => {
      const sandbox = createSandbox();
      const { cdnUrl } = await sandbox.listen();
      await using app = startAppProcess({
        DISCORD_API_URL: `${cdnUrl}/api/v10`,
        DISCORD_CDN_URL: cdnUrl,
        BOT_TOKENS: sandbox.mintToken(0),
        POW_MAX_NUMBER: '1000',
      });
      await use({ origin: await app.origin, sandbox });
      await sandbox.close();
    },
    { scope: 'worker' },
  ],
  visitor: async ({ journeyBrowser, startedBrowser, server }, use, testInfo) => {
    const missing = missingOf(BROWSERS[journeyBrowser].programs);
    if (startedBrowser === null) return testInfo.skip(true, `${missing} is not installed.`);
    await using tab = await startedBrowser.openTab();
    const visitor = createVisitor(tab, server.origin);
    await use(visitor);
    if (testInfo.error)
      await testInfo.attach('page', { body: await visitor.describePage(), contentType: 'text/plain' });
    await visitor.expectNoProblems();
  },
});
