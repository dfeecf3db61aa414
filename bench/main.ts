// Lists the benchmarks; with names, runs those: npm run bench http start -- --quick
import { parseArgs } from 'node:util';
import { renderReport, type Benchmark } from './benchmark.ts';
import { browserProof } from './browser-proof.ts';
import { clusterCost } from './cluster-cost.ts';
import { httpCost } from './http-cost.ts';
import { leaseCost } from './lease-cost.ts';
import { lighthouseScores } from './lighthouse.ts';
import { lookupSpeed } from './lookup-speed.ts';
import { sharedLink } from './shared-link.ts';
import { startCost } from './start-cost.ts';
import { webWeight } from './web-weight.ts';

const BENCHMARKS: readonly Benchmark[] = [
  startCost,
  httpCost,
  leaseCost,
  clusterCost,
  browserProof,
  lookupSpeed,
  sharedLink,
  webWeight,
  lighthouseScores,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((wanted) => !BENCHMARKS.some(({ name }) => name === wanted));
if (positionals.length === 0 || unknown.length > 0) {
  const names = BENCHMARKS.map(({ name, title }) => `  ${name.padEnd(18)}${title}`);
  console.log(['npm run bench NAME… [-- --quick]', '', ...names].join('\n'));
  if (unknown.length > 0) console.error(`\nThere is no benchmark ${unknown.join(', ')}.`);
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else if (values.quick) {
  console.log('Quick: fewer and shorter rounds; these figures are not to be quoted.');
}

for (const { name, title, run } of unknown.length > 0 ? [] : BENCHMARKS) {
  if (!positionals.includes(name)) continue;
  try {
    console.log(renderReport(title, await run({ quick: values.quick })));
  } catch (error) {
    // A missed aim is a figure; a benchmark that breaks is a failure.
    console.error(`\n${name} failed:`, error);
    process.exitCode = 1;
  }
}
