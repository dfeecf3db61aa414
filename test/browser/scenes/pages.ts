import type { Page } from '@playwright/test';
import type { Status } from '#shared/contract/status.ts';
import { BOT_TOKEN } from '../support/donation-forms.ts';
import { goToInteractive, interactive } from '../support/interactive.ts';
import { alert, idField, ids, lookUp } from '../support/lookup-page.ts';
import { answer, withoutTexts } from '../support/server-answers.ts';
import { failing, scene, type Scene } from './scene.ts';

const at = (name: string, path: string): Scene => ({
  name,
  open: (page) => goToInteractive(page, path, path === '/' ? 'app' : 'frame'),
});

/** The content of these pages is run once somebody does something. */
const goAndUse = async (page: Page, path: string): Promise<void> => {
  await goToInteractive(page, path, 'frame');
  await page.keyboard.press('Shift');
  await interactive(page, 'app');
};

const usedAt = (name: string, path: string): Scene => ({ name, open: (page) => goAndUse(page, path) });

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
  usedAt('token-donation', '/token-donation'),
  at('donate', '/donate'),
  at('contact', '/contact'),
  at('privacy', '/privacy'),
  at('help', '/help'),
  scene('offline', async (page) => {
    await page.goto('/offline.html');
    await idField(page).fill(ids.ordinary);
    await page.getByText('4 May 2018').first().waitFor();
  }),
  { ...usedAt('page-not-found', '/no/such/page'), logs: /status of 404/ },
  scene('shared-link', async (page) => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    );
    await page.goto(`/?id=${ids.ordinary}`);
    await page.getByText('Account created 4 May 2018').waitFor();
  }),
  scene('sample-ids', async (page) => {
    await page.goto('/');
    await page.getByText('More samples to try').click();
    await page.getByText('Where do I find an ID?').click();
  }),
  scene('name-typed', async (page) => {
    await page.goto('/');
    await idField(page).fill('@marlow.finch');
    await page.getByText('looks like a name').waitFor();
  }),
  scene('bot-token-pasted', async (page) => {
    await page.goto('/');
    await idField(page).fill(BOT_TOKEN);
    await alert(page).waitFor();
  }),
  failing('unexpected-error', /have not been loaded/, async (page) => {
    await withoutTexts(page, 'export');
    await lookUp(page, ids.ordinary);
    await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
  }),
  scene('status', async (page) => {
    await answer(page, '/status.json', { status: 200, json: STATUS });
    await goAndUse(page, '/status');
    await page.getByText('Not right now').waitFor();
    await page.getByText('Show as a table').click();
  }),
  failing('status-failed', /ERR_FAILED .*\/status\.json$/, async (page) => {
    await page.route('/status.json', (route) => route.abort());
    await goAndUse(page, '/status');
    await alert(page).waitFor();
  }),
];
