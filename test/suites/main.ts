// Runs one of the long suites, all of it or the parts with a word in their name: node test/suites/main.ts cluster killed
import { runSuite } from './run-suite.ts';
import type { Suite, SuiteOptions } from './suite.ts';

const [name = '', ...argv] = process.argv.slice(2);
const folder = name === 'assurance' ? '../attacks' : `./${name}`;
const { suite } = (await import(`${folder}/suite.ts`)) as { suite: Suite<SuiteOptions, unknown> };
const interrupt = new AbortController();
// What a part has started may run in a group of its own and would outlive us: the part ends first.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    process.stderr.write('Ends after this part; once more ends it at once.\n');
    interrupt.abort();
  });
process.exitCode = await runSuite(suite, {
  argv,
  interrupted: interrupt.signal,
  print: (text) => void process.stdout.write(text),
});
