import { test as base } from '@playwright/test';
import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { startChromium } from './chromium.ts';
import { missingOf, type Engine, type EngineName } from './engine.ts';
import { FIREFOX_PROGRAMS, startFirefox } from './firefox.ts';
import { createVisitor, type Visitor } from './visitor.ts';
import { startWebKit, WEBKIT_PROGRAMS } from './webkit.ts';

type WorkerFixtures = {
  readonly engineName: EngineName;
  /** Null where it is not to be had. */
  readonly engine: Engine | null;
  /** A server of their own: they change what it has. */
  readonly server: { readonly origin: string; readonly sandbox: Sandbox };
};

const PROGRAMS: Readonly<Record<EngineName, readonly string[]>> = {
  chromium: [],
  firefox: FIREFOX_PROGRAMS,
  webkit: WEBKIT_PROGRAMS,
};

export const test = base.extend<{ visitor: Visitor }, WorkerFixtures>({
  engineName: ['chromium', { option: true, scope: 'worker' }],
  engine: [
    async ({ engineName, launchOptions }, use) => {
      if (missingOf(PROGRAMS[engineName]) !== null) return use(null);
      const start = {
        chromium: () => startChromium(launchOptions),
        firefox: startFirefox,
        webkit: startWebKit,
      };
      await using engine = await start[engineName]();
      await use(engine);
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern
    async ({}, use) => {
      const sandbox = createSandbox();
      const { apiUrl, cdnUrl } = await sandbox.listen();
      await using app = startAppProcess({
        DISCORD_API_URL: apiUrl,
        DISCORD_CDN_URL: cdnUrl,
        BOT_TOKENS: sandbox.mintToken(0),
        POW_MAX_NUMBER: '20000',
      });
      await use({ origin: await app.origin, sandbox });
      await sandbox.close();
    },
    { scope: 'worker' },
  ],
  visitor: async ({ engineName, engine, server }, use, testInfo) => {
    if (engine === null) return testInfo.skip(true, `There is no ${missingOf(PROGRAMS[engineName])} here.`);
    await using tab = await engine.openTab();
    const visitor = createVisitor(tab, server.origin);
    await use(visitor);
    if (testInfo.error)
      await testInfo.attach('page', { body: await visitor.describePage(), contentType: 'text/plain' });
    await visitor.expectNoProblems();
  },
});
