import { expect, test as base } from '@playwright/test';

type PageProblems = {
  /** Names an error that the test provokes; the browser counts every answer of 400 and above as one. */
  readonly expect: (text: RegExp) => void;
};

const reportPolicyViolations = (): void => {
  document.addEventListener('securitypolicyviolation', (event) => {
    // oxlint-disable-next-line no-console -- the console is what the fixture listens to
    console.error(`CSP: ${event.violatedDirective} blocked ${event.blockedURI}`);
  });
};

/** A test fails on any error in the console, uncaught error or violation of the content security policy. */
export const test = base.extend<{ problems: PageProblems }>({
  problems: [
    async ({ page }, use) => {
      const problems: string[] = [];
      const expected: RegExp[] = [];
      await page.addInitScript(reportPolicyViolations);
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (message.type() !== 'error') return;
        const text = `${message.text()} ${message.location().url}`;
        if (!expected.some((pattern) => pattern.test(text))) problems.push(text);
      });
      await use({ expect: (text) => void expected.push(text) });
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
