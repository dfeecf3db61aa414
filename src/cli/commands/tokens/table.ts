import { DRY_RUN, type Command } from '../../command.ts';

export const TOKEN_COMMANDS: readonly Command[] = [
  {
    name: 'tokens list',
    summary: 'lists stored tokens and your own, with usage; never the tokens themselves or who gave them',
    run: async () => (await import('./list.ts')).listTokens,
  },
  {
    name: 'tokens add',
    summary: 'checks and stores tokens from a prompt or standard input, one per line',
    run: async () => (await import('./add.ts')).addTokens,
  },
  {
    name: 'tokens check',
    summary: 'asks the platform about every token, one per second',
    options: {
      retire: { type: 'boolean', help: 'delete stored tokens that the platform rejects' },
      ...DRY_RUN,
    },
    destroys: ({ flags }) =>
      flags['retire'] === true ? 'delete the tokens that the platform rejects' : null,
    run: async () => (await import('./check.ts')).checkTokens,
  },
  {
    name: 'tokens remove',
    parameters: '<id>',
    summary: 'deletes a stored token for good',
    options: DRY_RUN,
    destroys: ({ words }) => `delete the token ${words[0]}`,
    run: async () => (await import('./remove.ts')).removeToken,
  },
];
