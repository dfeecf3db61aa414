import type { Page } from '@playwright/test';
import { walkInTurn, walkTogether, type SpecRow } from './spec-walk.ts';
import { expect } from './support.ts';
import { idField } from './visitor.ts';

const header = (page: Page) => page.getByRole('banner');
const footer = (page: Page) => page.getByRole('contentinfo');
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });

const frame: readonly SpecRow[] = [
  {
    row: '2 / header: brand title',
    check: ({ page }) => expect(header(page).getByRole('link', { name: 'Whoflake' })).toBeVisible(),
  },
  {
    row: '2 / header: subtitle "Unofficial Lookup"',
    check: ({ page }) => expect(header(page).getByText('Unofficial Lookup', { exact: true })).toBeVisible(),
  },
  ...(
    [
      ['Lookup', '/'],
      ['Token Donation', '/token-donation'],
      ['Support us', '/donate'],
    ] as const
  ).map(([name, path]): SpecRow => ({
    row: `2 / header: nav link ${name} (${path})`,
    check: ({ page }) =>
      expect(navigation(page).getByRole('link', { name, exact: true })).toHaveAttribute('href', path),
  })),
  {
    row: '2 / footer: the not-affiliated notice',
    check: ({ page }) =>
      expect(footer(page)).toContainText('not affiliated with, endorsed by or sponsored by Discord'),
  },
  {
    row: '2 / footer: a "Support us" link to /donate',
    check: ({ page }) =>
      expect(footer(page).getByRole('link', { name: 'Support us', exact: true })).toHaveAttribute(
        'href',
        '/donate',
      ),
  },
  {
    row: '2 / footer: a "Contact us" link to /contact',
    check: ({ page }) =>
      expect(footer(page).getByRole('link', { name: 'Contact us', exact: true })).toHaveAttribute(
        'href',
        '/contact',
      ),
  },
];

for (const path of ['/', '/token-donation', '/donate', '/contact']) {
  walkTogether(`2 / shared frame on ${path}`, (page) => page.goto(path), frame);
}

walkInTurn('2 / navigation and routes', [
  {
    row: '2 / header: a collapsible navigation toggle',
    check: async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto('/donate');
      const toggle = navigation(page).getByRole('button', { name: 'Menu' });
      const link = navigation(page).getByRole('link', { name: 'Token Donation' });
      await expect(toggle).toHaveAttribute('aria-expanded', 'false');
      await expect(link).toBeHidden();
      await toggle.click();
      await expect(toggle).toHaveAttribute('aria-expanded', 'true');
      await expect(navigation(page).getByRole('link', { name: 'Support us' })).toHaveAttribute(
        'aria-current',
        'page',
      );
      await page.keyboard.press('Escape');
      await expect(link).toBeHidden();
      await toggle.click();
      await link.click();
      await expect(page).toHaveURL('/token-donation');
    },
  },
  {
    row: '2 / routes: / is the lookup page',
    check: async ({ page }) => {
      expect((await page.goto('/'))?.status()).toBe(200);
      await expect(idField(page)).toBeVisible();
    },
  },
  ...(
    [
      ['/token-donation', 'the explanation page', 'Token Donation'],
      ['/donate', 'the money donation page', 'Support us'],
      ['/contact', 'the contact page', 'Contact us'],
    ] as const
  ).map(([path, what, heading]): SpecRow => ({
    row: `2 / routes: ${path} is ${what}`,
    check: async ({ page }) => {
      expect((await page.goto(path))?.status()).toBe(200);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    },
  })),
  {
    row: '2 / routes: any other path is "Page not found" with a link "Back to Lookup"',
    check: async ({ page, problems }) => {
      problems.expect(/status of 404/);
      for (const path of ['/nothing', '/donate/more', '/index.html', '/%F0%9F%98%80']) {
        expect((await page.goto(path))?.status()).toBe(404);
        await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
      }
      await page.getByRole('link', { name: 'Back to Lookup' }).click();
      await expect(page).toHaveURL('/');
      await expect(page).toHaveTitle('Whoflake: Discord profile lookup');
    },
  },
]);
