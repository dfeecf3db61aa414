import { DRY_RUN, type Command } from '../../command.ts';

export const VANITY_COMMANDS: readonly Command[] = [
  {
    name: 'vanity list',
    summary: 'all links with their state and your notes',
    run: async () => (await import('./links.ts')).listLinks,
  },
  {
    name: 'vanity add',
    parameters: '<name> <invite>',
    summary: 'lets /name lead to the server of an invite',
    options: {
      donor: { type: 'string', help: 'a note for you: who donated' },
      eur: { type: 'string', help: 'a note for you: how much' },
      date: { type: 'string', help: 'a note for you: when, as yyyy-mm-dd' },
    },
    run: async () => (await import('./add.ts')).addVanityLink,
  },
  {
    name: 'vanity pause',
    parameters: '<name>',
    summary: 'shows a page instead of leading to the server',
    run: async () => (await import('./links.ts')).pauseLink,
  },
  {
    name: 'vanity resume',
    parameters: '<name>',
    summary: 'checks the invite, and lets the link lead to the server again',
    options: { repin: { type: 'boolean', help: 'accept that the invite leads to another server now' } },
    run: async () => (await import('./links.ts')).resumeLink,
  },
  {
    name: 'vanity remove',
    parameters: '<name>',
    summary: 'deletes a link and its notes',
    options: DRY_RUN,
    destroys: ({ words }) => `delete the link ${words[0]}`,
    run: async () => (await import('./links.ts')).removeLink,
  },
  {
    name: 'vanity check',
    parameters: '[name]',
    summary: 'asks where the invites lead, and pauses the links that lead elsewhere or nowhere',
    run: async () => (await import('./links.ts')).checkLinks,
  },
  {
    name: 'vanity export',
    parameters: '<file>',
    summary: 'writes all links with their notes into a new file; - prints them',
    run: async () => (await import('./transfer.ts')).exportLinks,
  },
  {
    name: 'vanity import',
    parameters: '<file>',
    summary: 'adds the links of such a file, all or none; - reads standard input',
    options: {
      replace: { type: 'boolean', help: 'replace links of the same name that say something else' },
      ...DRY_RUN,
    },
    destroys: ({ flags }) => (flags['replace'] === true ? 'replace links of the same name' : null),
    run: async () => (await import('./transfer.ts')).importLinks,
  },
];
