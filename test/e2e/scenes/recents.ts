import type { Page } from '@playwright/test';
import { findProfile, ids, submitId } from '../support/lookup-page.ts';
import type { Scene } from './scene.ts';

const keep = async (page: Page): Promise<void> => {
  await findProfile(page, ids.ordinary);
  await page.getByRole('button', { name: 'Keep recent lookups' }).click();
  for (const id of [ids.animated, ids.longName, ids.bot]) {
    await submitId(page, id);
    await page.getByRole('listitem').getByText(id).waitFor();
  }
};

export const recents: readonly Scene[] = [
  {
    name: 'recents',
    pictureOnly: true,
    open: async (page) => {
      await keep(page);
      await page.goto('/');
      await page.getByRole('button', { name: 'Clear list' }).waitFor();
    },
  },
  {
    name: 'recents-compared',
    open: async (page) => {
      await keep(page);
      await page.goto('/');
      await page.getByRole('button', { name: 'Compare two' }).click();
      for (const name of [/Marlow Finch/, /Aurora/])
        await page.getByRole('listitem').getByRole('button', { name }).click();
      await page.getByRole('table').waitFor();
    },
  },
];
