import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { donation, donationOpener } from '../support/donation-forms.ts';
import { captcha, card, idField, ids, lookUp, lookupButton, submitId } from '../support/lookup-page.ts';
import { callsFrom, hold, holdUntilReleased, sentTo } from '../support/server-answers.ts';

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

const ways: Record<string, (page: Page) => Promise<void>> = {
  'a double click': (page) => lookupButton(page).dblclick(),
  'a double tap': doubleTap,
  'Enter twice': async (page) => {
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
  },
  'Enter twice on the button': (page) => twiceOnButton(page, 'Enter'),
  'Space twice on the button': (page) => twiceOnButton(page, 'Space'),
  'Enter that is held down': async (page) => {
    // Each down after the first repeats.
    for (let times = 0; times < 30; times += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
  },
};

test.describe('on a phone or a desk', () => {
  test.use({ hasTouch: true });

  for (const [way, press] of Object.entries(ways)) {
    for (const width of [360, 1280]) {
      test(`${way} looks up once, ${width} px wide`, async ({ page }) => {
        const calls = callsFrom(page);
        await page.setViewportSize({ width, height: 740 });
        await page.goto('/');
        await idField(page).fill(ids.ordinary);
        await press(page);
        await expect(card(page)).toBeVisible();
        await expect(page.getByRole('dialog')).toHaveCount(0);
        expect(calls).toEqual(['/challenge', '/lookup']);
      });
    }
  }
});

test('the captcha does not give its first moments to a press that was meant for the button', async ({
  page,
}) => {
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
  await page.clock.runFor(500);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(captcha(page)).toBeFocused();
  await captcha(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(captcha(page)).toHaveCount(0);
});

test('the second half of a double click does not close the captcha, however late it comes', async ({
  page,
}) => {
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
});

test('the donation dialog survives a double click on what opens it', async ({ page }) => {
  await page.goto('/');
  await donationOpener(page).dblclick();
  await expect(donation(page)).toBeVisible();
  await expect(donation(page).getByRole('button', { name: 'Close' })).toBeEnabled();
  await expect(donation(page)).toBeVisible();
});

const expectCancelled = async (page: Page): Promise<void> => {
  await expect(page.getByRole('status').filter({ hasText: 'Lookup cancelled.' })).toHaveCount(1);
};

test('a lookup that is cancelled says so and leaves the profile that was there', async ({ page }) => {
  await lookUp(page, ids.ordinary);
  await expect(card(page)).toContainText('Marlow Finch');
  await hold(page, '/challenge');
  await submitId(page, ids.bot);
  await expect(captcha(page)).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(card(page)).toContainText('Marlow Finch');
  await expectCancelled(page);
  await expect(idField(page)).toHaveValue(ids.bot);
  await page.unrouteAll();
  await lookupButton(page).click();
  await expect(card(page)).toContainText('Snowplough');
});

for (const way of ['Escape', 'Cancel'] as const) {
  test(`a lookup under way is cancelled with ${way}, and its late answer changes nothing`, async ({
    page,
  }) => {
    const lookups = sentTo(page, '/lookup');
    const release = await holdUntilReleased(page, '/lookup');
    await lookUp(page, ids.ordinary);
    await expect(lookupButton(page)).toHaveText('Looking up…');
    await expect.poll(() => lookups.length).toBe(1);
    const aborted = page.waitForEvent('requestfailed');
    await (way === 'Escape'
      ? page.keyboard.press('Escape')
      : page.getByRole('button', { name: 'Cancel' }).click());
    await aborted;
    await expectCancelled(page);
    await expect(lookupButton(page)).toHaveText('Lookup');
    release();
    await expect(card(page)).toHaveCount(0);
    await lookupButton(page).click();
    await expect(card(page)).toBeVisible();
  });
}
