import { challengeEndlessly } from '../support/challenges.ts';
import {
  donation,
  GONE,
  leavingQuestion,
  openDonation,
  submitToken,
  withdraw,
} from '../support/donation-forms.ts';
import { goToInteractive } from '../support/interactive.ts';
import { alert, captcha, ids, lookUp } from '../support/lookup-page.ts';
import { answer } from '../support/server-answers.ts';
import { failing, scene, type Scene } from './scene.ts';

const RECEIPT = 'WD-7H2KQ-9XRTM-4VBNC-8PWEZ-3JYGD-5S';
const TOO_MANY = { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 90 };

const withdrawn = (name: string, status: number, json: object): Scene => ({
  name: `withdrawal-${name}`,
  logs: /\/withdraw-token$/,
  open: async (page) => {
    await answer(page, '/withdraw-token', { status, json });
    await goToInteractive(page, '/token-donation', 'frame');
    await withdraw(page, RECEIPT);
    await alert(page).waitFor();
  },
});

export const forms: readonly Scene[] = [
  scene('captcha', async (page) => {
    await challengeEndlessly(page);
    await lookUp(page, ids.ordinary);
    await captcha(page).getByRole('checkbox').waitFor();
  }),
  failing('captcha-refused', /429/, async (page) => {
    await answer(page, '/challenge', { status: 429, json: TOO_MANY });
    await lookUp(page, ids.ordinary);
    await captcha(page).getByRole('alert').waitFor();
  }),
  { name: 'donation', open: openDonation },
  scene('donation-empty', async (page) => {
    await openDonation(page);
    await submitToken(page, '');
    await donation(page).getByRole('alert').waitFor();
  }),
  scene('donation-saved', async (page) => {
    await answer(page, '/donate-token', { status: 201, json: { receipt: RECEIPT } });
    await openDonation(page);
    await submitToken(page);
    await alert(page).waitFor();
  }),
  scene('donation-leaving-receipt', async (page) => {
    await answer(page, '/donate-token', { status: 201, json: { receipt: RECEIPT } });
    await openDonation(page);
    await submitToken(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await leavingQuestion(page).waitFor();
  }),
  withdrawn('accepted', 200, { message: GONE }),
  withdrawn('too-many', 429, TOO_MANY),
];
