import type { Status } from '#shared/contract/status.ts';
import { BOT_TOKEN } from '../support/donation-forms.ts';
import { goToInteractive } from '../support/interactive.ts';
import { alert, idField, ids, lookUp } from '../support/lookup-page.ts';
import { answer, withoutTexts } from '../support/server-answers.ts';
import type { Scene } from './scene.ts';

const at = (name: string, path: string): Scene => ({
  name,
  // The content of the other pages is run once somebody does something, or never.
  open: (page) => goToInteractive(page, path, path === '/' ? 'app' : 'frame'),
});

const STATUS: Status = {
  tokens: { healthy: 1_234, cooling: 5, retired: 67 },
  lookups_last_hour: { served: 8_901, refused: 12 },
  last_24_hours: Array.from({ length: 24 }, (_, hour) => ({
    from: new Date(Date.UTC(2026, 10, 16, 11 + hour)).toISOString(),
    served: 400 + 100 * (hour % 5),
    refused: hour === 7 ? 180 : 0,
    tokens_healthy: hour < 7 ? 6 : 4,
  })),
  last_retirement: '2026-09-30T04:05:06.000Z',
  donations_needed: false,
  paused: null,
  updated_at: '2026-11-17T03:00:00.000Z',
};

export const pages: readonly Scene[] = [
  at('lookup', '/'),
  at('token-donation', '/token-donation'),
  at('donate', '/donate'),
  at('contact', '/contact'),
  at('privacy', '/privacy'),
  at('help', '/help'),
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
      await page.addInitScript(() =>
        Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
      );
      await page.goto(`/?id=${ids.ordinary}`);
      await page.getByText('Account created 4 May 2018').waitFor();
    },
  },
  {
    name: 'sample-ids',
    open: async (page) => {
      await page.goto('/');
      await page.getByText('More samples to try').click();
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
    logs: /have not been loaded/,
    open: async (page) => {
      await withoutTexts(page, 'card');
      await lookUp(page, ids.ordinary);
      await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
    },
  },
  {
    name: 'status',
    open: async (page) => {
      await answer(page, '/status.json', { status: 200, json: STATUS });
      await page.goto('/status');
      await page.keyboard.press('Shift');
      await page.getByText('Not right now').waitFor();
      await page.getByText('Show as a table').click();
    },
  },
  {
    name: 'status-failed',
    logs: /ERR_FAILED .*\/status\.json$/,
    open: async (page) => {
      await page.route('/status.json', (route) => route.abort());
      await page.goto('/status');
      await page.keyboard.press('Shift');
      await alert(page).waitFor();
    },
  },
];
