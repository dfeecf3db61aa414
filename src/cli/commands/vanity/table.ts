import { DRY_RUN, type Command } from '../../command.ts';

export const VANITY_COMMANDS: readonly Command[] = [
  {
    name: 'vanity list',
    summary: 'lists all links with their state and your notes',
    run: async () => (await import('./links.ts')).listLinks,
  },
  {
    name: 'vanity add',
    parameters: '<name> <invite>',
    summary: 'makes /name redirect to the server behind an invite',
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
    summary: 'shows a notice instead of redirecting',
    run: async () => (await import('./links.ts')).pauseLink,
  },
  {
    name: 'vanity resume',
    parameters: '<name>',
    summary: 'checks the invite, and redirects again',
    options: { repin: { type: 'boolean', help: 'accept that the invite now leads to a different server' } },
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
    summary: 'checks the invites, and pauses links that no longer lead to the right server',
    run: async () => (await import('./links.ts')).checkLinks,
  },
  {
    name: 'vanity export',
    parameters: '<file>',
    summary: 'writes all links and notes to a new file; - prints them',
    run: async () => (await import('./transfer.ts')).exportLinks,
  },
  {
    name: 'vanity import',
    parameters: '<file>',
    summary: 'adds the links from an exported file, all or none; - reads standard input',
    options: {
      replace: { type: 'boolean', help: 'overwrite links with the same name' },
      ...DRY_RUN,
    },
    destroys: ({ flags }) => (flags['replace'] === true ? 'overwrite links with the same name' : null),
    run: async () => (await import('./transfer.ts')).importLinks,
  },
];
