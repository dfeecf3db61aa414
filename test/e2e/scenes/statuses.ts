import type { Status } from '#shared/contract/status.ts';
import { alert } from '../support/lookup-page.ts';
import { answer, hold } from '../support/server-answers.ts';
import type { Scene } from './scene.ts';

const status: Status = {
  tokens: { healthy: 1_234, cooling: 5, retired: 67 },
  lookups_last_hour: { served: 8_901, refused: 12 },
  last_retirement: '2026-09-30T04:05:06.000Z',
  donations_needed: false,
};

const statusOf = (name: string, json: Status, sign: string): Scene => ({
  name: `status-${name}`,
  open: async (page) => {
    await answer(page, '/status.json', { status: 200, json });
    await page.goto('/status');
    await page.getByText(sign).waitFor();
  },
});

export const statuses: readonly Scene[] = [
  statusOf('healthy', status, 'Not right now'),
  statusOf(
    'donations-needed',
    { ...status, tokens: { healthy: 0, cooling: 1, retired: 4 }, donations_needed: true },
    'Yes, we’re running low',
  ),
  {
    name: 'status-loading',
    pictureOnly: true,
    open: async (page) => {
      await hold(page, '/status.json');
      await page.goto('/status');
    },
  },
  {
    name: 'status-failed',
    logs: /ERR_FAILED .*\/status\.json$/,
    open: async (page) => {
      await page.route('/status.json', (route) => route.abort());
      await page.goto('/status');
      await alert(page).waitFor();
    },
  },
];
