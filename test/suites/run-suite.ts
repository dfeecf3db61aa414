import { inspect, parseArgs } from 'node:util';
import type { Part, ReportLine, Suite, SuiteOptions } from './suite.ts';

type SuiteRun = {
  readonly argv: readonly string[];
  /** No further part starts after it fires. */
  readonly interrupted: AbortSignal;
  readonly print: (text: string) => void;
};

const readArguments = <Options extends SuiteOptions>(options: Options, argv: readonly string[]) => {
  const types = Object.entries(options).map(
    ([name, value]) => [name, { type: typeof value === 'boolean' ? 'boolean' : 'string' } as const] as const,
  );
  const { values, positionals: words } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: Object.fromEntries(types),
  });
  const given = Object.entries(values).map(
    ([name, value]) => [name, value === true || Number(value)] as const,
  );
  const wrong = given.find(([, value]) => Number.isNaN(value));
  if (wrong !== undefined) throw new RangeError(`--${wrong[0]} takes a number.`);
  const seed = 'seed' in options && { seed: Date.now() % 1_000_000 };
  return { options: { ...options, ...seed, ...Object.fromEntries(given) }, words };
};

const choose = <Scene>(parts: readonly Part<Scene>[], words: readonly string[]): readonly Part<Scene>[] => {
  const unknown = words.find((word) => !parts.some(({ name }) => name.includes(word)));
  if (unknown !== undefined) throw new RangeError(`No part has "${unknown}" in its name.`);
  return parts.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
};

/** A part that throws has broken, too; the others run all the same. */
const runPart = async <Scene>({ name, whyNot, run }: Part<Scene>, scene: Scene): Promise<ReportLine> => {
  const reason = whyNot?.() ?? null;
  if (reason !== null) return { name, count: 0, broken: 0, note: `skipped: ${reason}` };
  try {
    return { name, ...(await run(scene)) };
  } catch (error) {
    return { name, count: 0, broken: 1, note: inspect(error) };
  }
};

/** Resolves to the exit code: 1 if anything broke, 2 if the command line makes no sense. */
export const runSuite = async <Scene>(
  suite: Suite<SuiteOptions, Scene>,
  { argv, interrupted, print }: SuiteRun,
): Promise<number> => {
  const say = ({ name, count, broken, note = '' }: ReportLine): void =>
    print(`${broken === 0 ? 'ok    ' : 'BROKEN'} ${name}: ${broken} of ${count} broken; ${note}\n`);
  const read = () => {
    const { options, words } = readArguments(suite.options, argv);
    return { options, chosen: choose(suite.parts(options), words) };
  };
  let asked: ReturnType<typeof read>;
  try {
    asked = read();
  } catch (error) {
    const names = suite.parts(suite.options).map(({ name }) => `  ${name}\n`);
    const options = Object.keys(suite.options).map((name) => ` [--${name}]`);
    print(`${String(error)}\n\n${suite.about}\nArguments: [word in a name…]${options.join('')}\n`);
    print(`The parts:\n${names.join('')}`);
    return 2;
  }
  const { options, chosen } = asked;
  const lines = await suite.play(options, async (scene) => {
    const played: ReportLine[] = [];
    for (const part of chosen) {
      if (interrupted.aborted) break;
      const line = await runPart(part, scene);
      say(line);
      played.push(line);
    }
    return played;
  });
  print(`\n${'seed' in options ? `seed ${String(options['seed'])}\n` : ''}`);
  lines.forEach(say);
  return lines.every(({ broken }) => broken === 0) ? 0 : 1;
};
