import { walkInTurn, walkTogether } from './spec-walk.ts';
import { expect } from './support.ts';
import { alert, answer, card, donation, hold, idField, ids, lookUp, lookupButton } from './visitor.ts';

walkTogether('2 / lookup page', (page) => page.goto('/'), [
  {
    row: '2 / hero: a link "How token donations work" to /token-donation',
    check: ({ page }) =>
      expect(page.getByRole('link', { name: 'How token donations work' })).toHaveAttribute(
        'href',
        '/token-donation',
      ),
  },
  {
    row: '2 / lookup form: a text input "{product} ID"',
    check: ({ page }) =>
      expect(page.getByRole('textbox', { name: 'Discord ID', exact: true })).toBeEditable(),
  },
  {
    row: '2 / lookup form: numeric input mode',
    check: ({ page }) => expect(idField(page)).toHaveAttribute('inputmode', 'numeric'),
  },
  {
    row: '2 / lookup form: required',
    check: ({ page }) => expect(idField(page)).toHaveAttribute('required'),
  },
  {
    row: '2 / lookup form: placeholder of 18 zeros',
    check: ({ page }) => expect(idField(page)).toHaveAttribute('placeholder', '000000000000000000'),
  },
  {
    row: '2 / lookup form: a submit button labelled "Lookup"',
    check: async ({ page }) => {
      await expect(lookupButton(page)).toHaveText('Lookup');
      await expect(lookupButton(page)).toHaveAttribute('type', 'submit');
    },
  },
  {
    row: '2 / info banner: promotes donations and token donations',
    check: async ({ page }) => {
      const banner = page.getByRole('complementary', { name: 'Support' });
      await expect(banner).toContainText('lives on donations');
      await expect(banner).toContainText('donated bot tokens');
    },
  },
  {
    row: '2 / info banner: a "Support us" button to /donate',
    check: ({ page }) =>
      expect(page.getByRole('complementary').getByRole('link', { name: 'Support us' })).toHaveAttribute(
        'href',
        '/donate',
      ),
  },
  {
    row: '2 / hero: a button "Donate a bot token" opens the token donation modal',
    check: async ({ page }) => {
      await page.getByRole('button', { name: 'Donate a bot token' }).click();
      await expect(donation(page)).toBeVisible();
    },
  },
]);

walkInTurn('2 / lookup form: what becomes of it', [
  {
    row: '2 / lookup form: "Looking up…" while busy',
    check: async ({ page }) => {
      await hold(page, '/lookup');
      await lookUp(page, ids.ordinary);
      await expect(lookupButton(page)).toHaveText('Looking up…');
      await expect(lookupButton(page)).toHaveAttribute('aria-disabled', 'true');
    },
  },
  {
    row: '2 / below the form: an error message',
    check: async ({ page, problems }) => {
      problems.expect(/status of 503/);
      await answer(page, '/lookup', { status: 503, json: { error: 'All busy.', code: 'pool-busy' } });
      await lookUp(page, ids.ordinary);
      await expect(alert(page)).toContainText('All busy.');
      await expect(card(page)).toHaveCount(0);
      await expect(lookupButton(page)).toHaveText('Lookup');
    },
  },
  {
    row: '2 / below the form: a warning for not-found',
    check: async ({ page, problems }) => {
      problems.expect(/status of 404 .*\/lookup$/);
      await lookUp(page, ids.nobody);
      await expect(alert(page)).toContainText('No profile was found');
      await expect(card(page)).toHaveCount(0);
    },
  },
  {
    row: '2 / below the form: a result card',
    check: async ({ page }) => {
      await lookUp(page, ids.ordinary);
      await expect(card(page)).toBeVisible();
      await expect(alert(page)).toHaveCount(0);
      const [form, result] = await Promise.all([idField(page).boundingBox(), card(page).boundingBox()]);
      expect(result?.y).toBeGreaterThan(form?.y ?? 0);
    },
  },
]);
