import type { Locator, Page } from '@playwright/test';

export const WAYS_OUT = ['Escape', 'Cancel', 'Close'] as const;

export const leave = (page: Page, dialog: Locator, way: (typeof WAYS_OUT)[number]): Promise<void> =>
  way === 'Escape' ? page.keyboard.press('Escape') : dialog.getByRole('button', { name: way }).click();
