import type { Locator, Page } from '@playwright/test';
import { walkEach, walkTogether } from './spec-walk.ts';
import { expect } from './support.ts';
import { answer, ids, lookUp } from './visitor.ts';

const section = (page: Page, title: string): Locator =>
  page
    .getByRole('region')
    .or(page.locator('section'))
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) });

const step = (page: Page, number: number): Locator =>
  page.getByRole('listitem').filter({ hasText: `Step ${number}` });

walkTogether('2 / token donation page', (page) => page.goto('/token-donation'), [
  {
    row: '2 / step 1: create an application in the developer portal, open the Bot tab, reset the token and copy it',
    check: async ({ page }) => {
      for (const part of [
        'application',
        'developer portal',
        'open the Bot tab',
        'reset the token and copy it',
      ]) {
        await expect(step(page, 1)).toContainText(part);
      }
    },
  },
  {
    row: '2 / section "Why this matters"',
    check: ({ page }) => expect(section(page, 'Why this matters')).toContainText('terminated'),
  },
  {
    row: '2 / "Token usage & trust": only used to fetch user info via the official API',
    check: ({ page }) =>
      expect(section(page, 'Token usage & trust')).toContainText(
        'only used to fetch user info via the official API',
      ),
  },
  {
    row: '2 / "Token usage & trust": no servers are joined',
    check: ({ page }) => expect(section(page, 'Token usage & trust')).toContainText('No servers are joined'),
  },
  {
    row: '2 / "Token usage & trust": the token can be revoked at any time',
    check: ({ page }) =>
      expect(section(page, 'Token usage & trust')).toContainText('The token can be revoked at any time'),
  },
  {
    row: '2 / step 2: return to the lookup page and submit it via the Token Donation modal',
    check: async ({ page }) => {
      await expect(step(page, 2)).toContainText('submit it via the Token Donation modal');
      await step(page, 2).getByRole('link').click();
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('dialog', { name: 'Donate a Discord bot token' })).toBeVisible();
    },
  },
]);

walkTogether('2 / money donation page', (page) => page.goto('/donate'), [
  {
    row: '2 / explains the 18 EUR vanity link offer',
    check: async ({ page }) => {
      await expect(page.getByRole('main')).toContainText('Donate 18 EUR or more');
      await expect(page.getByRole('main')).toContainText(/localhost:\d+\/yourname/);
      await expect(page.getByRole('main')).toContainText('redirects to the invite of your server');
    },
  },
  {
    row: '2 / asks the donor to send an e-mail after donating',
    check: async ({ page }) => {
      await expect(section(page, 'After you donate')).toContainText('send us an e-mail');
      await expect(page.getByRole('link', { name: 'send us an e-mail' })).toHaveAttribute('href', '/contact');
      await expect(section(page, 'After you donate').getByRole('button')).toHaveText([
        'Copy address',
        'Write an e-mail',
      ]);
    },
  },
  {
    row: '2 / a "Donate now" link to an external card payment provider page',
    check: async ({ page }) => {
      const link = page.getByRole('link', { name: 'Donate now' });
      await expect(link).toHaveAttribute('href', 'https://donate.whoflake.example/');
      await expect(link).toHaveAttribute('rel', 'noreferrer');
    },
  },
]);

walkTogether('2 / contact page', (page) => page.goto('/contact'), [
  {
    row: '2 / shows a contact e-mail address',
    check: async ({ page }) =>
      expect(await page.getByRole('main').innerText()).toContain('hello@whoflake.example'),
  },
  {
    row: '2 / obfuscated with decoy elements, so it is not plainly readable',
    check: async ({ page }) => expect(await page.content()).not.toContain('hello@whoflake.example'),
  },
]);

walkEach([
  {
    row: '2, 8 / unexpected render errors: "Unexpected Application Error!"',
    check: async ({ page, problems }) => {
      // An answer that no server of ours gives, on which drawing the card fails.
      problems.expect(/Cannot read properties/);
      await answer(page, '/lookup', { status: 200, json: { username: 'broken', flags: null } });
      await lookUp(page, ids.ordinary);
      await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
      await expect(page.getByRole('banner')).toBeVisible();
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Reload' }).click();
      await expect(page.getByLabel('Discord ID')).toBeVisible();
    },
  },
]);
