import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { wat } from './scripts/wat-plugin.ts';

export default defineConfig({
  plugins: [wat()],
  test: {
    globalSetup: ['test/support/memory-folder.ts', 'test/support/run-servers.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // They only end what hangs, on a machine that is busy with something else, too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    tags: [
      {
        name: 'slow',
        description:
          'Takes seconds on an idle machine, as a rule for the processes it starts; not part of npm run check.',
      },
    ],
    maxWorkers: availableParallelism(),
    // Importing a module does nothing, so a worker can keep it for the next file.
    isolate: false,
  },
});
