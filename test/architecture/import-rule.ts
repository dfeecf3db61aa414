/**
 * Who may use whom, by paths in `src`; `*` stands for one name. A file belongs to the first row that fits. It may use
 * the folder that this row stands for and what the row lists, where the name of a row means the files of that row.
 */
export const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  sandbox: ['shared'],

  'web/texts': ['shared'],
  'web/ui': ['shared', 'web/*.ts', 'web/texts'],
  'web/features/*': ['shared', 'web/*.ts', 'web/texts', 'web/ui'],
  'web/routes': ['shared', 'web/*.ts', 'web/texts', 'web/ui', 'web/features/*'],
  'web/pages.ts': ['shared', 'web/*.ts', 'web/routes'],
  'web/entry-frame.ts': ['web/*.ts', 'web/ui', 'web/features/*'],
  'web/*.tsx': ['shared', 'web/*.tsx', 'web/*.ts', 'web/texts', 'web/ui', 'web/features/*', 'web/pages.ts'],
  'web/*.ts': ['shared', 'web/*.ts', 'web/texts'],
  'web/*.js': [],

  cli: [
    'server/config.ts',
    'server/read-settings.ts',
    'server/open-records.ts',
    'server/donation',
    'server/vanity',
    'server/privacy',
    'server/vault',
    'server/nodes',
    'server/platform',
    'server/storage',
  ],

  'server/main.ts': ['server/*'],
  'server/app.ts': ['server/*'],
  'server/admin.ts': ['server/*'],
  'server/reload.ts': [
    'server/config.ts',
    'server/read-settings.ts',
    'server/donation',
    'server/pool',
    'server/visitors',
    'server/observability',
  ],
  'server/open-records.ts': [
    'server/config.ts',
    'server/donation',
    'server/vanity',
    'server/privacy',
    'server/pool',
    'server/vault',
    'server/platform',
    'server/storage',
  ],
  'server/shared-state.ts': [
    'server/config.ts',
    'server/lookup',
    'server/admission',
    'server/visitors',
    'server/storage',
    'server/observability',
  ],
  'server/read-settings.ts': ['server/config.ts', 'server/storage/operators-file.ts'],
  'server/config.ts': [
    'server/platform/bot-token.ts',
    'server/visitors',
    'server/storage/postgres/database-url.ts',
    'server/storage/redis/store-address.ts',
  ],
  'server/http': [
    'server/config.ts',
    'server/lookup',
    'server/pictures',
    'server/donation',
    'server/vanity',
    'server/admission',
    'server/visitors',
    'server/pool/ticket.ts',
    'server/platform/bot-token.ts',
    'server/observability',
  ],
  'server/lookup': ['server/pool', 'server/platform', 'server/storage', 'server/observability'],
  'server/pictures': ['server/config.ts', 'server/visitors'],
  'server/donation': ['server/pool', 'server/vault', 'server/platform', 'server/storage'],
  'server/vanity': ['server/platform', 'server/storage', 'server/observability'],
  'server/privacy': ['server/storage'],
  'server/pool': ['server/platform', 'server/storage', 'server/observability'],
  'server/vault': ['server/platform/bot-token.ts', 'server/storage'],
  'server/admission': [
    'server/captcha',
    'server/visitors',
    'server/pool/ticket.ts',
    'server/storage',
    'server/observability',
  ],
  'server/captcha': [],
  'server/visitors': ['server/storage'],
  'server/nodes': ['server/config.ts', 'server/open-records.ts', 'server/storage', 'server/observability'],
  'server/platform/start-platform.ts': ['server/config.ts', 'server/platform', 'sandbox'],
  'server/platform': ['server/storage'],
  'server/storage': [],
  'server/observability': ['server/platform/platform-answer.ts'],
  'server/*.ts': [],
};

/** What all of `server` and `cli` may use: what is pure, and the server's files that have no row of their own. */
export const GROUND = ['shared', 'server/*.ts'];

/** Only their own folder may use them. The client has no limits: a request to the platform needs a pass. */
export const PRIVATE = ['server/platform/discord-client.ts'];

/** A package that is not here may not be used at all. */
export const PACKAGE_USERS: Readonly<Record<string, readonly string[]>> = {
  '#package.json': ['server', 'cli'],
  '@redis/client': ['server/storage'],
  altcha: ['web'],
  fastify: ['server/app.ts', 'server/http'],
  kysely: ['server/storage'],
  'lru-cache': ['server'],
  'node:*': ['server', 'cli', 'sandbox'],
  'node:module': [],
  'node:process': [],
  'node:sqlite': ['server/storage'],
  'node:timers': ['sandbox'],
  'node:timers/promises': ['sandbox'],
  'node:vm': [],
  pg: ['server/storage'],
  pino: ['server/observability'],
  react: ['web'],
  'react-dom': ['web'],
  typebox: ['shared', 'server/http', 'server/lookup/shared-profiles.ts'],
  undici: ['server/platform', 'server/pictures'],
};
