import type { Site } from '#shared/site.ts';

/** The ids are in the addresses of links to an answer. */
export const help = ({ brandName, platformName }: Site) => ({
  title: 'Help',
  lead: 'What people ask us most, in a few sentences each.',
  sections: [
    {
      id: 'missing',
      title: 'Why is there no bio, status or Nitro badge?',
      texts: [
        `${platformName} tells bots only part of a profile: the names, the pictures, a colour, the server tag and a few badges. Bio, pronouns, connections, online status, server profiles, and the badges for Nitro, boosts and quests are not sent to them, so no lookup tool can show them.`,
        `The colour can differ from the app as well. For people with a profile theme, ${platformName} sends an older one.`,
      ],
    },
    {
      id: 'told',
      title: 'Is the person told?',
      texts: [
        `No. A lookup sends no notification and changes nothing on the account. We don’t record who looked up whom either: see [Privacy](/privacy).`,
      ],
    },
    {
      id: 'whose',
      title: 'Whose ID is this?',
      texts: [
        'Paste it on the [lookup page](/). If it belongs to a user, you’ll see the profile.',
        'Servers, channels, messages, roles, emojis and applications have IDs that look the same. Nobody is found for those, but the date still shows: it’s part of every ID.',
        `You can’t search by name. ${platformName} offers bots no such search.`,
      ],
    },
    {
      id: 'find',
      title: 'How do I find an ID?',
      texts: [
        'Turn on Developer Mode first: User Settings → Advanced → Developer Mode. On a phone, tap your picture and then the gear to get to the settings.',
        [
          'On a computer or in a browser: right-click the person’s name or picture and choose Copy User ID.',
          'On an Android phone or tablet: open the person’s profile, tap ⋯ in the corner and choose Copy User ID.',
          'On an iPhone or iPad: open the person’s profile, tap ⋯ in the corner and choose Copy User ID.',
        ],
        'Your own ID is found the same way, on your own profile.',
      ],
    },
    {
      id: 'deleted',
      title: 'What happens to deleted accounts?',
      texts: [
        `${platformName} takes their picture away and gives them another name: \`deleted_user_\` and a code or, in older cases, \`Deleted User\` and a code. The ID and the day it was created stay. There is no way to see who it was.`,
      ],
    },
    {
      id: 'kinds',
      title: 'What are provisional accounts and teams?',
      texts: [
        `A provisional account was made by a game, for a player who has no ${platformName} account yet. “User is a team” marks an account that stands for a team of developers, not for a person.`,
      ],
    },
    {
      id: 'names',
      title: 'Why is there a warning next to a name?',
      texts: [
        'Some characters can’t be seen, some turn the text around, and some look just like letters of another alphabet. With them one person can look like another: “\u0410dmin” with a Cyrillic A is not “Admin”. We show such characters so that you can tell.',
        'Many people only use them for decoration. If you want to be sure who somebody is, compare the ID: it can’t be imitated.',
      ],
    },
    {
      id: 'left-out',
      title: 'How do I keep my profile off this site?',
      texts: [
        `[Email us](/contact) your ${platformName} ID. We’ll ask you to show that the account is yours. After that, ${brandName} answers “not found” for your ID and never asks ${platformName} about it. [Privacy](/privacy) has the details.`,
      ],
    },
  ],
});
