import { PAGE_PATHS } from '#shared/paths.ts';
import { localPath } from '#shared/languages.ts';
import { JOURNEY_LANGUAGES } from '#test/support/journey-languages.ts';
import { expectNoAxeViolations } from '../support/axe.ts';
import { expect, test } from '../support/browser-test.ts';
import { card, ids } from '../support/lookup-page.ts';
import { holdUntilReleased } from '../support/server-answers.ts';
import { layoutFaults } from './layout-faults.ts';

for (const { code, texts, title, fieldLabel, day, next } of JOURNEY_LANGUAGES) {
  test(`/${code}: a profile is found, kept in another language, and there again on the way back`, async ({
    page,
  }) => {
    const answer = await holdUntilReleased(page, '/challenge');
    await page.goto(`/${code}`);
    await expect(page).toHaveTitle(title);
    await page.getByLabel(fieldLabel).fill(ids.ordinary);
    await page.getByLabel(fieldLabel).press('Enter');
    await expect(page.getByRole('dialog', { name: texts.captcha.title })).toBeVisible();
    answer();
    await expect(card(page)).toContainText(texts.card.created);
    await expect(card(page)).toContainText(day);
    await expect(page).toHaveURL(`/${code}?id=${ids.ordinary}`);
    await page.getByRole('link', { name: next.name }).click();
    await expect(page).toHaveURL(`/${next.code}?id=${ids.ordinary}`);
    await expect(card(page)).toContainText(next.texts.card.created);
    await page.goBack();
    await expect(card(page)).toContainText(texts.card.created);
    await expect(page.getByLabel(fieldLabel)).toHaveValue(ids.ordinary);
  });

  test(`/${code}: axe finds nothing on any page, in either theme, and a narrow phone has room for it`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of PAGE_PATHS) {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await page.goto(localPath(path, code));
      expect.soft(await page.evaluate(layoutFaults), path).toEqual([]);
      await expectNoAxeViolations(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectNoAxeViolations(page, ['color-contrast']);
    }
  });
}
