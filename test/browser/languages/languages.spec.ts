import type { Locator, Page } from '@playwright/test';
import { JOURNEY_LANGUAGES } from '../support/journey-languages.ts';
import { expect, test } from '../support/browser-test.ts';
import { card, ids } from '../support/lookup-page.ts';
import { holdUntilReleased } from '../support/server-answers.ts';
import { layoutFaults } from './layout-faults.ts';

const [german, arabic, japanese] = JOURNEY_LANGUAGES;

test('a phone has room for a profile in German, kept in other languages and on the way back', async ({
  page,
}) => {
  const expectProfileIn = async ({ code, texts, day, fieldLabel }: typeof german): Promise<void> => {
    await expect(page).toHaveURL(`/${code}?id=${ids.ordinary}`);
    await expect(card(page)).toContainText(texts.card.created);
    await expect(card(page)).toContainText(day);
    await expect(page.getByLabel(fieldLabel)).toHaveValue(ids.ordinary);
    await expect(page.locator('html')).toHaveAttribute('dir', code === 'ar' ? 'rtl' : 'ltr');
    await page.evaluate(() => document.fonts.ready);
    expect.soft(await page.evaluate(layoutFaults), code).toEqual([]);
  };
  await page.setViewportSize({ width: 360, height: 740 });
  const answer = await holdUntilReleased(page, '/challenge');
  await page.goto('/de');
  await expect(page).toHaveTitle(german.title);
  await page.getByLabel(german.fieldLabel).fill(ids.ordinary);
  await page.getByLabel(german.fieldLabel).press('Enter');
  await expect(page.getByRole('dialog', { name: german.texts.captcha.title })).toBeVisible();
  answer();
  await expectProfileIn(german);
  for (const next of [arabic, japanese]) {
    await page.getByRole('contentinfo').locator('summary').click();
    await page.getByRole('link', { name: next.name }).click();
    await expectProfileIn(next);
  }
  await page.goBack();
  await expectProfileIn(arabic);
});

const offer = (page: Page): Locator => page.getByRole('complementary', { name: 'Deutsch' });

test.describe('to those who read German', () => {
  test.use({ locale: 'de-DE' });

  test('the English page offers German to those who read it, and remembers a no', async ({ page }) => {
    const frame = await holdUntilReleased(page, /\/assets\/entry-frame-/);
    await page.goto('/?a=b', { waitUntil: 'commit' });
    await page.locator('footer').waitFor();
    const places = () =>
      page
        .locator('header, main, footer')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().toJSON() as unknown));
    const before = await places();
    await expect(offer(page)).toHaveCount(0);
    frame();
    await expect(offer(page)).toContainText(german.texts.offer.text);
    await expect(offer(page)).toHaveAttribute('lang', 'de');
    expect(await places()).toEqual(before);
    await expect(page).toHaveURL('/?a=b');
    await page.goto(`/?id=${ids.ordinary}`);
    await expect(card(page)).toContainText('Marlow Finch');
    await offer(page).getByRole('link', { name: german.texts.offer.accept }).click();
    await expect(page).toHaveURL(`/de?id=${ids.ordinary}`);
    await expect(card(page)).toContainText('Marlow Finch');
    await expect(offer(page)).toHaveCount(0);

    await page.goto('/');
    await offer(page).getByRole('button', { name: german.texts.offer.decline }).click();
    await expect(offer(page)).toHaveCount(0);
    expect(await page.evaluate(() => Object.entries(localStorage))).toEqual([['language', 'en']]);
  });
});
