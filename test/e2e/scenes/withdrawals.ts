import { GONE, withdraw, withdrawalCaptcha } from '../support/donation-forms.ts';
import { alert } from '../support/lookup-page.ts';
import { answer, hold } from '../support/server-answers.ts';
import type { Scene } from './scene.ts';

type Withdrawal = { readonly status: number; readonly json: object; readonly sign: string };

const withdrawn = (name: string, { sign, ...answered }: Withdrawal): Scene => ({
  name: `withdrawal-${name}`,
  ...(answered.status >= 400 && { logs: new RegExp(`status of ${answered.status} .*/withdraw-token$`) }),
  open: async (page) => {
    await answer(page, '/withdraw-token', answered);
    await page.goto('/token-donation');
    await withdraw(page, 'WD-7H2KQ-9XRTM-4VBNC');
    await alert(page).filter({ hasText: sign }).waitFor();
  },
});

export const withdrawals: readonly Scene[] = [
  withdrawn('accepted', { status: 200, json: { message: GONE }, sign: GONE }),
  {
    ...withdrawn('mistyped', {
      status: 422,
      json: { error: 'This is neither a receipt nor a bot token.', code: 'withdrawal-malformed' },
      sign: 'neither a receipt',
    }),
    pictureOnly: true,
  },
  withdrawn('too-many', {
    status: 429,
    json: {
      error: 'You have made too many requests.',
      code: 'visitor-limit',
      retry_after: 90,
    },
    sign: 'try again in',
  }),
  {
    name: 'withdrawal-empty',
    open: async (page) => {
      await page.goto('/token-donation');
      await withdraw(page, '');
      await alert(page).waitFor();
    },
  },
  {
    name: 'withdrawal-captcha',
    pictureOnly: true,
    open: async (page) => {
      await hold(page, '/challenge');
      await page.goto('/token-donation');
      await withdraw(page, 'WD-7H2KQ-9XRTM-4VBNC');
      await withdrawalCaptcha(page).getByRole('checkbox').waitFor();
    },
  },
];
