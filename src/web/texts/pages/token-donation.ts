import type { Site } from '#shared/site.ts';

export const TOKEN_DONATION_TITLE = 'Token Donation';

export const noTokenDonation = {
  lead: 'We don’t accept bot tokens. Please don’t send us one.',
  earlier: 'If you lent us one earlier, you can still withdraw it.',
};

export const tokenDonation = ({ platformName, developerPortalUrl }: Site) => ({
  lead: 'Lend us a bot made just for this and keep lookups running for everyone.',
  risks: {
    id: 'risks',
    title: 'The risks first',
    texts: [
      [
        `${platformName} may terminate the application whose token you donate. Its developer terms restrict sharing credentials, and it could act against the account that owns the application.`,
        'The people who run this server could, with full access to it, read a token while it’s in use. Only donate one you can afford to lose.',
      ],
      'Questions? [Contact us](/contact) before you donate.',
    ],
  },
  create: {
    title: 'Create a bot and copy its token',
    texts: [
      `Create a new application in [${platformName}’s developer portal](${developerPortalUrl}), open the Bot tab, reset the token and copy it.`,
      `Use it for nothing else, because ${platformName} may terminate it. Don’t add the bot to any server and leave all privileged intents off, so its token can only read public profiles.`,
    ],
  },
  submit: {
    title: 'Submit it here',
    texts: [
      'Return to the lookup page and submit it via the Token Donation modal, or open the modal right here.',
      'You’ll get a one-time receipt that lets you withdraw the token.',
    ],
    open: 'Donate a bot token',
  },
  why: {
    title: 'Why this matters',
    texts: [
      'Only bots can look up users, and bots used by public tools keep getting shut down. When the last one is gone, nobody can look anyone up. Donated tokens are our reserve: when one bot is lost, the others carry on. They are a backup, not a way around rate limits.',
      'See the [status page](/status) for the current count.',
    ],
  },
  trust: {
    title: 'Token usage & trust',
    texts: [
      [
        'Tokens are only used to fetch user info via the official API.',
        `When you donate, we make two requests to ${platformName}: \`GET\u00A0/users/@me\` (does the token work, and does it belong to a bot?) and \`GET\u00A0/applications/@me\` (is the bot in any servers?).`,
        'After that, your token only makes `GET\u00A0/users/{id}` requests for IDs that visitors look up. We may repeat those two checks to see if it still works.',
        'No servers are joined, and no messages are read or sent.',
        'The token can be revoked at any time: press “Reset Token” on the Bot tab and our copy stops working at once.',
      ],
    ],
  },
  keeping: {
    id: 'storage',
    title: 'How it is stored',
    texts: [
      [
        'Encrypted with AES-256-GCM, each token under its own key. The master key is stored separately, so a stolen database is useless on its own.',
        `Never shown, never logged, and never sent anywhere except ${platformName}’s API.`,
        'We don’t store anything about you. We only keep a hash of your receipt, so we can’t show it to you again.',
      ],
    ],
  },
});

export const leaving = {
  noScript:
    'Donating and withdrawing need JavaScript. Without it, “Reset Token” in the developer portal still works.',
  title: 'Withdraw your token',
  text: 'Enter your receipt, or the token itself. By the time you see the confirmation, the token is out of use and deleted, and restoring a backup won’t bring it back. You can also press “Reset Token” in the developer portal, which makes our copy useless.',
};
