import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.ts';
import { browserProof } from './browser-proof.ts';
import { clusterCapacity } from './cluster-capacity.ts';
import { clusterCost } from './cluster-cost.ts';
import { httpCost } from './http-cost.ts';
import { leaseCost } from './lease-cost.ts';
import { lighthouseScores } from './lighthouse.ts';
import { lookupSpeed } from './lookup-speed.ts';
import { poolCapacity } from './pool-capacity.ts';
import { proofVerification } from './proof-verification.ts';
import { startCost } from './start-cost.ts';
import { renderReport } from './table.ts';
import { vaultCost } from './vault-cost.ts';
import { webWeight } from './web-weight.ts';

const BENCHMARKS: readonly Benchmark[] = [
  startCost,
  httpCost,
  proofVerification,
  leaseCost,
  poolCapacity,
  vaultCost,
  clusterCost,
  clusterCapacity,
  browserProof,
  lookupSpeed,
  webWeight,
  lighthouseScores,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const known = BENCHMARKS.map(({ name }) => name);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  process.exit(1);
}

if (values.quick) console.log('Quick: fewer and shorter rounds; these figures are not to be quoted.');
for (const { name, run } of BENCHMARKS) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  try {
    console.log(renderReport(await run({ quick: values.quick })));
  } catch (error) {
    // A missed aim is a figure; a benchmark that breaks is a failure.
    console.error(`\n${name} failed:`, error);
    process.exitCode = 1;
  }
}
