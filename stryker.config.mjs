export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Which tests see a mutant is known without looking for those that import its file.
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  mutate: [
    'src/server/{vault,visitors}/*.ts',
    'src/server/platform/standing.ts',
    'src/server/tokens/{refill,suspicion,token-rules}.ts',
    'src/shared/**/*.ts',
    '!**/*.test.ts',
    // Tested with an engine only, which a mutant does not get.
    '!src/server/visitors/postgres-*.ts',
    // Schemas: types and descriptions, compared with answers and with the OpenAPI document in test/server.
    '!src/shared/contract/{challenge,donation,error-body,profile,status}.ts',
    // Values and types without a rule.
    '!src/shared/{colors,page,receipt}.ts',
  ],
  // Nothing that the tests read, but much to copy.
  ignorePatterns: [
    '/dist',
    '/.tools',
    '/data',
    '/docs',
    '/deploy',
    '/bench',
    '/ops',
    '/test/{browser,release}',
  ],
  coverageAnalysis: 'perTest',
  // What is made on import (tables, patterns) would take all tests for each mutant.
  ignoreStatic: true,
  concurrency: 2,
  // Only what hangs is stopped; a machine that others use too is slow.
  timeoutMS: 20_000,
  timeoutFactor: 3,
  // Paths need no rewriting, for the sandbox lies below this folder; and TypeScript 7 could not do it.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  tempDirName: '.stryker/tmp',
  incremental: true,
  incrementalFile: '.stryker/incremental.json',
  reporters: ['clear-text', 'json', 'dots'],
  jsonReporter: { fileName: '.stryker/mutation.json' },
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  thresholds: { high: 90, low: 80, break: 80 },
};
