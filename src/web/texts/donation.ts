import { RECEIPT_PREFIX } from '#shared/receipt.ts';
import type { Site } from '#shared/site.ts';

export const donationForm = ({ platformName, publicUrl }: Site) => ({
  title: `Donate a ${platformName} bot token`,
  note: `Your token is only used to look up profiles. ${platformName} may shut its application down, so create a new one just for this.`,
  // The whole address, because it opens in a tab of its own: this one has the token in it.
  risk: `${platformName} could also act against the account that owns the application. [Read about the risks](${publicUrl}/token-donation#risks)`,
  label: 'Bot Token',
  placeholder: 'Paste your bot token',
  hint: 'Do not reuse an existing token, and do not add the bot to any server.',
  submit: 'Submit & Verify',
  busy: 'Verifying…',
});

export const donationTexts = {
  captchaTitle: 'Verify your token donation',
  failed: 'Token donation failed.',
  unreachable: 'Unable to submit token right now.',
};

export const receiptView = {
  title: 'Your receipt',
  titleWithout: 'Thank you',
  keep: 'Save this now: we can’t show it again. Use it on the Token Donation page to withdraw your token.',
  copy: 'Copy receipt',
  copied: 'Copied',
  copyFailed: 'Your browser didn’t allow copying. Download the receipt, or select it and copy it yourself.',
  download: 'Download .txt',
  done: 'Done',
};

export const leavingQuestion = {
  title: 'Leave without the receipt?',
  text: 'You haven’t saved it yet, and we can’t show it again. Without it you’ll need the token itself to withdraw it.',
  stay: 'Back to the receipt',
  leave: 'Leave without it',
};

/** What the donor keeps as a file. */
export const receiptFile = (receipt: string, { brandName, publicUrl }: Site) => ({
  name: `${brandName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-receipt.txt`,
  text: `${receipt}\n\nYour receipt for a bot token donated to ${brandName}.\nTo withdraw the token, enter this receipt at ${publicUrl}/token-donation\n`,
});

export const withdrawalForm = {
  noScript:
    'Withdrawing here needs JavaScript: your browser solves a small puzzle that keeps bots out. Reset Token in the developer portal works without it.',
  label: 'Receipt or bot token',
  placeholder: `${RECEIPT_PREFIX}-…`,
  hint: 'The answer is the same whether or not we hold it.',
  submit: 'Withdraw',
  busy: 'Withdrawing…',
  captchaTitle: 'Verify your withdrawal',
  failed: 'Withdrawal failed.',
  unreachable: 'Unable to withdraw the token right now.',
};
