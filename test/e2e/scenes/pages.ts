import { BOT_TOKEN } from '../support/donation-forms.ts';
import { alert, idField, ids, lookUp } from '../support/lookup-page.ts';
import { answer } from '../support/server-answers.ts';
import type { Scene } from './scene.ts';

const at = (name: string, path: string): Scene => ({ name, open: (page) => page.goto(path) });

export const pages: readonly Scene[] = [
  at('lookup', '/'),
  at('token-donation', '/token-donation'),
  at('donate', '/donate'),
  at('contact', '/contact'),
  at('privacy', '/privacy'),
  {
    name: 'offline',
    open: async (page) => {
      await page.goto('/offline.html');
      await idField(page).fill(ids.ordinary);
      await page.getByText('4 May 2018').first().waitFor();
    },
  },
  { ...at('page-not-found', '/no/such/page'), logs: /status of 404/ },
  {
    name: 'shared-link',
    open: async (page) => {
      await page.goto(`/?id=${ids.ordinary}`);
      await page.getByText('Account created 4 May 2018').waitFor();
    },
  },
  {
    name: 'sample-ids',
    open: async (page) => {
      await page.goto('/');
      await page.getByText('More samples to try').click();
    },
  },
  {
    name: 'finding-an-id',
    open: async (page) => {
      await page.goto('/');
      await page.getByText('Where do I find an ID?').click();
    },
  },
  {
    name: 'name-typed',
    open: async (page) => {
      await page.goto('/');
      await idField(page).fill('@marlow.finch');
      await page.getByText('looks like a name').waitFor();
    },
  },
  {
    name: 'bot-token-pasted',
    open: async (page) => {
      await page.goto('/');
      await idField(page).fill(BOT_TOKEN);
      await alert(page).waitFor();
    },
  },
  {
    name: 'unexpected-error',
    logs: /TypeError: /,
    open: async (page) => {
      await answer(page, '/lookup', { status: 200, json: {} });
      await lookUp(page, ids.ordinary);
      await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
    },
  },
];
