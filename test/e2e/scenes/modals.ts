import { endlessChallenge } from '../support/challenges.ts';
import {
  donation,
  donationCaptcha,
  leavingQuestion,
  openDonation,
  submitToken,
} from '../support/donation-forms.ts';
import { alert, captcha, ids, lookUp } from '../support/lookup-page.ts';
import { answer, hold } from '../support/server-answers.ts';
import type { Scene } from './scene.ts';

const RECEIPT = 'WD-7H2KQ-9XRTM-4VBNC-8PWEZ-3JYGD-5S';

const donated = (name: string, status: number, json: object): Scene => ({
  name: `donation-${name}`,
  ...(status >= 400 && { logs: new RegExp(`status of ${status} .*/donate-token$`) }),
  open: async (page) => {
    await answer(page, '/donate-token', { status, json });
    await openDonation(page);
    await submitToken(page);
    await alert(page).waitFor();
  },
});

export const modals: readonly Scene[] = [
  {
    name: 'captcha',
    open: async (page) => {
      await answer(page, '/challenge', { status: 200, json: endlessChallenge() });
      await lookUp(page, ids.ordinary);
      await captcha(page).getByRole('checkbox').waitFor();
    },
  },
  {
    name: 'captcha-refused',
    logs: /429/,
    open: async (page) => {
      const json = { error: 'You have made too many requests.', retry_after: 40 };
      await answer(page, '/challenge', { status: 429, json });
      await lookUp(page, ids.ordinary);
      await captcha(page).getByRole('alert').waitFor();
    },
  },
  { name: 'donation', open: openDonation },
  {
    name: 'donation-captcha',
    pictureOnly: true,
    open: async (page) => {
      await hold(page, '/challenge');
      await openDonation(page);
      await submitToken(page);
      await donationCaptcha(page).getByRole('checkbox').waitFor();
    },
  },
  {
    name: 'donation-empty',
    open: async (page) => {
      await openDonation(page);
      await submitToken(page, '');
      await donation(page).getByRole('alert').waitFor();
    },
  },
  donated('saved', 201, { receipt: RECEIPT }),
  {
    name: 'donation-leaving-receipt',
    open: async (page) => {
      await answer(page, '/donate-token', { status: 201, json: { receipt: RECEIPT } });
      await openDonation(page);
      await submitToken(page);
      await page.getByRole('button', { name: 'Done' }).click();
      await leavingQuestion(page).waitFor();
    },
  },
  { ...donated('failed', 422, { error: 'This is not a valid bot token.' }), pictureOnly: true },
];
