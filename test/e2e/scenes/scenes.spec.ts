import type { Page } from '@playwright/test';
import { expectNoAxeViolations } from '../support/axe.ts';
import { expect, test } from '../support/browser-test.ts';
import { allScenes } from './all-scenes.ts';

const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 360, height: 740 };
const TARGET_PX = 44;

/** They have colours beyond the pairs that `theme-contrast.test.ts` checks. Another theme changes nothing but colours. */
const CHECKED_IN_DARK = new Set(['lookup', 'result-ordinary', 'result-animated', 'captcha-refused']);

/** Targets that are too small for a finger. A link within a sentence is as high as its line. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const standsInText = (target: Element): boolean =>
      getComputedStyle(target).display === 'inline' &&
      (target.parentElement?.textContent ?? '').trim() !== target.textContent?.trim();
    // What lies under a modal cannot be pressed.
    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    return (
      [...root.querySelectorAll('a[href], button, input, summary, select, textarea')]
        .filter((target) => target.checkVisibility({ visibilityProperty: true }))
        .filter((target) => !target.matches(':not(:focus)[href="#content"]'))
        .filter((target) => !standsInText(target))
        // A checkbox is pressed by its label.
        .map(
          (target) =>
            (target instanceof HTMLInputElement && target.type === 'checkbox' && target.labels?.[0]) ||
            target,
        )
        .map((target) => ({ target, box: target.getBoundingClientRect() }))
        .filter(({ box }) => box.width < least || box.height < least)
        .map(({ target, box }) => `${target.outerHTML.slice(0, 90)} ${box.width}×${box.height}`)
    );
  }, TARGET_PX);

const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

const expectGood = async (page: Page, name: string): Promise<void> => {
  await expectNoAxeViolations(page);
  if (CHECKED_IN_DARK.has(name)) {
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoAxeViolations(page, ['color-contrast']);
  }
  await page.setViewportSize(PHONE);
  expect.soft(await widthOf(page)).toBe(PHONE.width);
  expect.soft(await smallTargets(page)).toEqual([]);
};

for (const { name, open, logs } of allScenes) {
  test(`axe finds nothing in ${name}, and a narrow phone has room for it`, async ({ page, problems }) => {
    if (logs) problems.expect(logs);
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await open(page);
    await expectGood(page, name);
  });
}

test('a target that is too small would be found', async ({ page }) => {
  await page.setContent('<button>x</button>');
  expect(await smallTargets(page)).toEqual([expect.stringContaining('<button>x</button>')]);
});
