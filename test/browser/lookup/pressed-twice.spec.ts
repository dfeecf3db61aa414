import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { donation, donationOpener } from '../support/donation-forms.ts';
import { captcha, card, idField, ids, lookUp, lookupButton, submitId } from '../support/lookup-page.ts';
import { callsFrom, hold } from '../support/server-answers.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const doubleTap = async (page: Page): Promise<void> => {
  const box = await lookupButton(page).boundingBox();
  if (box === null) throw new Error('The button is not on the screen.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.touchscreen.tap(x, y);
  await page.touchscreen.tap(x, y);
};

const twiceOnButton = async (page: Page, key: string): Promise<void> => {
  await lookupButton(page).focus();
  await page.keyboard.press(key);
  await page.keyboard.press(key);
};

type Way = (page: Page) => Promise<void>;

const WAYS: readonly (readonly [name: string, width: number, press: Way])[] = [
  ['a double tap', 360, doubleTap],
  ['a double click', 1280, (page) => lookupButton(page).dblclick()],
  [
    'Enter twice',
    360,
    async (page) => {
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
    },
  ],
  ['Enter twice on the button', 1280, (page) => twiceOnButton(page, 'Enter')],
  ['Space twice on the button', 360, (page) => twiceOnButton(page, 'Space')],
  [
    'Enter that is held down',
    1280,
    async (page) => {
      // Each down after the first repeats.
      for (let times = 0; times < 30; times += 1) await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
    },
  ],
];

test.describe('with a finger or a mouse', () => {
  test.use({ hasTouch: true });

  test('whatever is pressed twice looks up once', async ({ page }) => {
    const calls = callsFrom(page);
    for (const [name, width, press] of WAYS) {
      await page.setViewportSize({ width, height: 740 });
      await page.goto('/');
      await idField(page).fill(ids.ordinary);
      await press(page);
      await expect(card(page)).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      expect.soft(calls.splice(0), name).toEqual(['/challenge', '/lookup']);
    }
  });
});

test('the captcha ignores a press at first: it was meant for the button', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await hold(page, '/challenge');
  await submitId(page, ids.ordinary);
  await expect(captcha(page)).toBeFocused();
  for (const name of ['Cancel', 'Close']) {
    const button = captcha(page).getByRole('button', { name });
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await button.click({ force: true });
  }
  await page.clock.runFor(1_000);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(captcha(page)).toBeFocused();
  await captcha(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(captcha(page)).toHaveCount(0);
});

test('the second half of a double click does not close a dialog, however late it comes', async ({ page }) => {
  await hold(page, '/challenge');
  await lookUp(page, ids.ordinary);
  for (const name of ['Cancel', 'Close']) {
    const button = captcha(page).getByRole('button', { name });
    await expect(button).toBeEnabled();
    await button.hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
  }
  await expect(captcha(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await donationOpener(page).dblclick();
  await expect(donation(page).getByRole('button', { name: 'Close' })).toBeEnabled();
  await expect(donation(page)).toBeVisible();
});
