import type { Site } from '#shared/site.ts';

export const privacy = ({ brandName, platformName, tokenDonations, offlinePage, relayPictures }: Site) => ({
  title: 'Privacy',
  lead: `${brandName} shows what ${platformName} shows to everyone, and keeps nothing about who asked.`,
  sections: [
    {
      title: 'When you look someone up',
      texts: [
        'We keep no record of it: not the ID, not the result, not your IP address. A result stays in memory for at most ten minutes, so that the next visitor who asks gets it sooner. There are no accounts, no cookies and no third-party analytics.',
        'To stop anyone hogging the service, we limit requests per IP address. The addresses are hashed with a key that changes every day, stay in memory for at most a day, and are never logged.',
        relayPictures
          ? `Images load through our server, so ${platformName} doesn’t see your IP address.`
          : `Images load from ${platformName}’s servers, which see your IP address.`,
      ],
    },
    {
      title: 'What stays in your browser',
      texts: [
        'The theme you chose, if you switched it. It never leaves your browser.',
        'Your recent lookups, if you switch them on: at most 12 profiles, each with its ID, names, picture address and badges. The list never leaves your browser, and one press deletes it.',
        ...(offlinePage
          ? [
              'One small page, kept by a service worker, so that you can read the date out of an ID without a network. It is the same for everyone and holds nothing about you or your lookups.',
            ]
          : []),
        'When a profile is found, its ID goes into the page’s address, so you can share the link or come back to it. Like every page you visit, it then stays in your browser’s history until you clear it.',
      ],
    },
    {
      title: 'What we keep',
      texts: [
        [
          ...(tokenDonations
            ? [
                'Donated bot tokens, encrypted, until they are withdrawn or stop working. [See how we store them](/token-donation#storage).',
              ]
            : []),
          'Vanity links, with a note of the donation behind them if the donor gave one, until they are removed. The note is never public.',
          'A hashed list of people who opted out.',
          'Anonymous counts of lookups and errors.',
        ],
      ],
    },
    {
      title: 'Opting out',
      texts: [
        `If you don’t want your profile to be found on this site, [email us](/contact) your ${platformName} ID. We’ll ask you to show that the account is yours. After that, your ID returns “not found” and we never ask ${platformName} about it. You can change your mind at any time.`,
        'The ID itself still reveals when the account was created: the date is part of the number, and anyone can work it out without us.',
      ],
    },
  ],
});
