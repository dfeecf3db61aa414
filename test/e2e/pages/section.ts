import type { Locator, Page } from '@playwright/test';

export const section = (page: Page, title: string): Locator =>
  page
    .getByRole('region')
    .or(page.locator('section'))
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) });
