import type { Site } from '#shared/site.ts';

export const donate = ({ brandName, vanityMinEur, publicUrl }: Site) => ({
  title: 'Support us',
  lead: `${brandName} is free and ad-free. Donations pay for the server.`,
  action: 'Donate now',
  vanityLink: {
    title: 'Your own vanity link',
    texts: [
      `Donate ${vanityMinEur} EUR or more and you can request a custom vanity link: \`${new URL(publicUrl).host}/yourname\`, a short address that redirects to your server’s invite.`,
      'Pick any name of 2 to 32 letters, digits or hyphens, if it’s available. Please use an invite that never expires. We check once a day that it still leads to the same server; if it doesn’t, we pause the link until you contact us.',
    ],
  },
  afterwards: {
    title: 'After you donate',
    texts: [
      'Please [send us an email](/contact) with the name you’d like, the invite it should lead to, and the name or time of your payment, so we can find it.',
    ],
  },
  tokens: {
    title: 'No money to spare?',
    texts: ['A bot token helps just as much: see [how token donations work](/token-donation).'],
  },
});
