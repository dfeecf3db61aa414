import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { wat } from './scripts/wat-plugin.ts';

const isBeside = ({ moduleId }: TestSpecification): boolean =>
  /\/src\/(?:server\/(?:rules|vault|visitors)|shared)\//.test(moduleId);

/** The first failure ends the run, so those that see most of the defects come first. */
class NearestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [near, far] = [files.filter(isBeside), files.filter((file) => !isBeside(file))];
    return Promise.resolve([...near, ...far]);
  }
}

export default defineConfig({
  plugins: [wat()],
  test: {
    // For one mutant after the other, an engine takes too long.
    env: { TEST_POSTGRES: '/dev/null' },
    globalSetup: ['test/support/memory-folder.ts'],
    // Those beside the code, and quick ones that use it.
    include: [
      'src/server/{vault,visitors}/*.test.ts',
      'src/shared/**/*.test.ts',
      'src/server/lookup/to-profile.test.ts',
      'src/server/platform/{bot-token,platform,standing}.test.ts',
      'src/server/tokens/{suspicion,token-budget,token-rules,token-store}.test.ts',
    ],
    sequence: { sequencer: NearestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // They start processes or try thousands of cases, which is not worth it for one mutant after the other.
    tags: [{ name: 'slow', skip: true }],
    isolate: false,
  },
});
