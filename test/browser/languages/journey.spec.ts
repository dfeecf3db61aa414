import type { Page } from '@playwright/test';
import { PAGE_PATHS } from '#shared/paths.ts';
import { LANGUAGE_CODES, localPath } from '#shared/languages.ts';
import { JOURNEY_LANGUAGES } from '../support/journey-languages.ts';
import { expectNoAxeViolations } from '../support/axe.ts';
import { expect, test } from '../support/browser-test.ts';
import { card, ids } from '../support/lookup-page.ts';
import { holdUntilReleased } from '../support/server-answers.ts';
import { brokenWords } from './broken-words.ts';
import { layoutFaults } from './layout-faults.ts';

const [german, arabic, japanese] = JOURNEY_LANGUAGES;

test('a profile is found in German, kept in other languages, and on the way back', async ({ page }) => {
  const expectProfileIn = async ({ code, texts, day, fieldLabel }: typeof german): Promise<void> => {
    await expect(page).toHaveURL(`/${code}?id=${ids.ordinary}`);
    await expect(card(page)).toContainText(texts.card.created);
    await expect(card(page)).toContainText(day);
    await expect(page.getByLabel(fieldLabel)).toHaveValue(ids.ordinary);
  };
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

const expectHeroInSight = async (page: Page): Promise<void> => {
  const main = page.getByRole('main');
  for (const part of [
    main.getByRole('heading', { level: 1 }),
    main.getByRole('paragraph').first(),
    main.getByRole('textbox'),
    main.locator('form').getByRole('button'),
    main.locator('form + div').getByRole('button'),
    main.locator('form + div').getByRole('link'),
  ])
    await expect.soft(part).toBeInViewport({ ratio: 1 });
};

const expectRoom = async (page: Page, path: string): Promise<void> => {
  expect.soft(await page.evaluate(layoutFaults), path).toEqual([]);
  expect.soft(await page.evaluate(brokenWords), path).toEqual([]);
};

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

for (const code of LANGUAGE_CODES)
  test(`/${code}: a phone has room for every page, and shows all of the hero`, async ({ page }) => {
    await page.setViewportSize(DESKTOP);
    await page.goto(localPath('/', code));
    await expectHeroInSight(page);
    await page.setViewportSize(PHONE);
    await expectHeroInSight(page);
    // What it looks at is the same in every language but one.
    if (code === 'ar') await expectNoAxeViolations(page);
    for (const path of PAGE_PATHS) {
      if (path !== '/') await page.goto(localPath(path, code));
      await page.evaluate(() => document.fonts.ready);
      await expectRoom(page, path);
    }
  });

// Of the others, the scenes have every page and state in texts that are longer still.
for (const code of ['de', 'ar', 'ja', 'ru'] as const)
  test(`/${code}: a narrow phone has room for cards, a warning and a dialog`, async ({ page, problems }) => {
    problems.expect(/status of 404/);
    await page.setViewportSize(PHONE);
    const states: Readonly<Record<string, () => Promise<void>>> = {
      [`/?id=${ids.animated}`]: () => card(page).locator('summary').last().click(),
      [`/?id=${ids.nobody}`]: () => page.getByRole('alert').waitFor(),
      '/#donate-token': () => page.getByRole('dialog').waitFor(),
    };
    for (const [path, come] of Object.entries(states)) {
      await page.goto(localPath(path, code));
      await come();
      await expectRoom(page, path);
    }
  });

test('a word that is broken in two would be found', async ({ page }) => {
  await page.setContent(
    '<p style="width: 60px; overflow-wrap: anywhere">der Benutzername <bdi>somebodyelse</bdi></p>',
  );
  expect(await page.evaluate(brokenWords)).toEqual(['Benutzername']);
});
