// Plays seeds: npm run simulate -- --seeds 10000 [--from 1]; or tells the story of one: npm run simulate -- --seed 42
import { parseArgs } from 'node:util';
import { startPostgresServer } from '#test/support/postgres-server.ts';
import { playSeeds } from './seeds.ts';

const number = { type: 'string', default: '' } as const;
const { values } = parseArgs({ options: { seeds: number, from: number, seed: number } });
const one = Number(values.seed);
const from = one || Number(values.from) || 1;
const count = one > 0 ? 1 : Number(values.seeds) || 100;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

await using server = await startPostgresServer();
const startMs = performance.now();
let failed = 0;
await playSeeds(
  Array.from({ length: count }, (_, n) => from + n),
  server.newDatabase,
  ({ seed, broken, story }) => {
    if (one > 0) print(story);
    if (broken.length === 0) return;
    failed += 1;
    print(`seed ${seed}: ${broken.join('; ')}`);
  },
);
const seconds = (performance.now() - startMs) / 1_000;
print(`${failed} of ${count} broken, ${seconds.toFixed(1)} s`);
process.exitCode = failed === 0 ? 0 : 1;
