import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/support/memory-folder.ts', 'test/support/run-servers.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Ends what hangs. A machine whose processor is lent to others takes four times as long as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Left to itself it would leave one of two cores idle.
    maxWorkers: '100%',
    // Importing a module does nothing, so a worker can keep it for the next file.
    isolate: false,
  },
});
