const PLATFORM = ['server/platform', 'server/platform/wire', 'server/platform/bot-token.ts'];

/**
 * Who may use whom, by paths in `src`; `*` stands for one name. A file belongs to the first row that fits. It may use
 * the folder that this row stands for and what the row lists, where the name of a row means the files of that row.
 */
export const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  texts: [],
  shared: ['texts'],
  sandbox: ['shared'],

  'web/texts': ['shared', 'texts'],
  'web/ui': ['shared', 'web/*.ts', 'web/texts'],
  'web/features/*': ['shared', 'web/*.ts', 'web/texts', 'web/ui'],
  'web/routes': ['shared', 'web/*.ts', 'web/texts', 'web/ui', 'web/features/*'],
  'web/pages.ts': ['shared', 'web/*.ts', 'web/routes'],
  'web/entry-frame.ts': ['web/*.ts', 'web/ui', 'web/features/*'],
  'web/*.tsx': [
    'shared',
    'web/*.tsx',
    'web/*.ts',
    'web/texts',
    'web/ui',
    'web/features/*',
    'web/routes',
    'web/pages.ts',
  ],
  'web/*.ts': ['shared', 'web/*.ts', 'web/texts'],

  cli: [
    'server/config.ts',
    'server/read-settings.ts',
    'server/open-records.ts',
    'server/donation',
    'server/vanity',
    'server/lookup/opt-outs.ts',
    'server/vault',
    'server/notices',
    ...PLATFORM,
    'server/open-state.ts',
    'server/tokens/token-rules.ts',
    'server/storage',
  ],

  'server/main.ts': ['server/*'],
  'server/app.ts': ['server/*'],
  'server/admin.ts': ['server/*'],
  'server/stop.ts': ['server/observability'],
  'server/open-records.ts': [
    'server/config.ts',
    'server/donation',
    'server/vanity',
    'server/lookup/opt-outs.ts',
    'server/tokens',
    'server/vault',
    'server/open-state.ts',
    'server/storage',
  ],
  'server/open-state.ts': ['server/tokens', 'server/platform', 'server/visitors', 'server/storage'],
  'server/read-settings.ts': ['server/config.ts'],
  'server/config.ts': [
    'server/platform/bot-token.ts',
    'server/visitors/ip-address.ts',
    'server/storage/postgres/database-url.ts',
  ],
  'server/http': [
    'server/config.ts',
    'server/lookup',
    'server/pictures',
    'server/donation',
    'server/vanity',
    'server/visitors',
    'server/platform/bot-token.ts',
    'server/observability',
  ],
  'server/lookup': ['server/tokens', ...PLATFORM, 'server/storage', 'server/observability'],
  'server/pictures': ['server/platform/http-pool.ts', 'server/visitors', 'server/platform/wire'],
  'server/donation': ['server/tokens', 'server/vault', ...PLATFORM, 'server/storage'],
  'server/vanity': [...PLATFORM, 'server/storage', 'server/observability'],
  'server/status': ['server/tokens', ...PLATFORM, 'server/storage', 'server/observability'],
  /** What an answer says of a token, never how the platform words it. */
  'server/tokens': ['server/platform', 'server/platform/bot-token.ts', 'server/storage'],
  'server/vault': ['server/platform/bot-token.ts', 'server/storage'],
  'server/visitors': ['server/tokens/fair-order.ts', 'server/storage', 'server/observability'],
  'server/notices': ['server/tokens', 'server/storage', 'server/observability'],
  'server/platform/start-platform.ts': ['server/config.ts', 'server/platform/bot-token.ts', 'sandbox'],
  'server/platform/bot-token.ts': [],
  'server/platform/http-pool.ts': [],
  'server/platform/wire': ['server/platform/bot-token.ts'],
  'server/platform': ['server/platform/bot-token.ts', 'server/platform/wire', 'server/storage'],
  'server/storage': [],
  'server/observability': ['server/platform/wire', 'server/storage/storage-fault.ts'],
  'server/*.ts': [],
};

/** What all of `server` and `cli` may use: what is pure, and the server's files that have no row of their own. */
export const GROUND = ['shared', 'server/*.ts'];

/** Only their own folder may use them. The client has no limits: a request to the platform needs a permit. */
export const PRIVATE = ['server/platform/discord-client.ts'];

/** What else they hold would be in every build. */
export const TYPES_ONLY = ['discord-api-types/v10'];

/** A package that is not here may not be used at all. */
export const PACKAGE_USERS: Readonly<Record<string, readonly string[]>> = {
  '#package.json': ['server', 'cli'],
  altcha: ['web'],
  'discord-api-types': ['sandbox', 'server/platform', 'shared/flags.ts'],
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
  typebox: ['shared', 'server/http'],
};
