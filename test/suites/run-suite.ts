import { inspect, parseArgs } from 'node:util';
import type { Part, ReportLine, Suite, SuiteOptions } from './suite.ts';

type SuiteRun = {
  readonly name: string;
  readonly argv: readonly string[];
  /** No further part starts after it fires. */
  readonly interrupted: AbortSignal;
  readonly print: (text: string) => void;
  readonly progress: (text: string) => void;
};

const readArguments = <Options extends SuiteOptions>(options: Options, argv: readonly string[]) => {
  const types = Object.entries(options).map(
    ([name, value]) => [name, { type: typeof value === 'boolean' ? 'boolean' : 'string' } as const] as const,
  );
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: Object.fromEntries(types),
  });
  const given = Object.entries(values).map(([name, value]) => {
    const read = typeof value === 'string' ? Number(value) : value;
    if (typeof read === 'number' && !(read >= 0)) throw new RangeError(`--${name} takes a number.`);
    return [name, read] as const;
  });
  const seed = 'seed' in options && { seed: Date.now() % 1_000_000 };
  return { options: { ...options, ...seed, ...Object.fromEntries(given) }, words: positionals };
};

const usageOf = <Scene>(name: string, suite: Suite<SuiteOptions, Scene>): string => {
  const options = Object.entries(suite.options).map(([option, value]) =>
    typeof value === 'boolean' ? `[--${option}]` : `[--${option} ${value || '<n>'}]`,
  );
  return [
    ['npm run', name, '-- [word…]', ...options].join(' '),
    '',
    suite.about,
    'Words choose the parts that have one of them in their names. Ends with 1 if anything broke. The parts:',
    ...suite.parts(suite.options).map((part) => `  ${part.name}`),
    '',
  ].join('\n');
};

const choose = <Scene>(parts: readonly Part<Scene>[], words: readonly string[]): readonly Part<Scene>[] => {
  const unknown = words.find((word) => !parts.some(({ name }) => name.includes(word)));
  if (unknown !== undefined) throw new RangeError(`No part has "${unknown}" in its name.`);
  return parts.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
};

/** A part that throws has broken, too; the others run all the same. */
const runPart = async <Scene>(
  { name, whyNot, run }: Part<Scene>,
  scene: Scene,
  progress: SuiteRun['progress'],
): Promise<readonly ReportLine[]> => {
  const reason = whyNot?.() ?? null;
  if (reason !== null) return [{ name, count: 0, broken: 0, note: `skipped: ${reason}` }];
  progress(`${name}…\n`);
  try {
    const result = await run(scene);
    return 'count' in result ? [{ name, ...result }] : result;
  } catch (error) {
    progress(`${inspect(error)}\n`);
    return [{ name, count: 0, broken: 1, note: String(error) }];
  }
};

const formatReport = (lines: readonly ReportLine[]): string => {
  const rows = lines.map(({ name, count, broken, note = '' }) => [
    name,
    count.toLocaleString('en'),
    broken.toLocaleString('en'),
    note.replaceAll(/\s+/g, ' '),
  ]);
  const table = [['what', 'tried', 'broken', 'note'], ...rows];
  const widthOf = (column: number): number => Math.max(...table.map((row) => row[column]?.length ?? 0));
  return table
    .map(([name = '', tried = '', broken = '', note = '']) =>
      `${name.padEnd(widthOf(0))}  ${tried.padStart(widthOf(1))}  ${broken.padStart(widthOf(2))}  ${note}`.trimEnd(),
    )
    .join('\n');
};

/** Resolves to the exit code: 1 if anything broke, 2 if the command line makes no sense. */
export const runSuite = async <Scene>(
  suite: Suite<SuiteOptions, Scene>,
  { name, argv, interrupted, print, progress }: SuiteRun,
): Promise<number> => {
  const read = () => {
    const { options, words } = readArguments(suite.options, argv);
    return { options, chosen: choose(suite.parts(options), words) };
  };
  let asked: ReturnType<typeof read>;
  try {
    asked = read();
  } catch (error) {
    progress(`${(error as Error).message}\n\n${usageOf(name, suite)}`);
    return 2;
  }
  const { options, chosen } = asked;
  const lines = await suite.play(options, async (scene) => {
    const played: ReportLine[] = [];
    for (const part of chosen) {
      if (interrupted.aborted) break;
      const told = await runPart(part, scene, progress);
      for (const line of told)
        progress(`${line.broken === 0 ? 'ok    ' : 'BROKEN'} ${line.name}: ${line.note ?? ''}\n`);
      played.push(...told);
    }
    return played;
  });
  print(`\n${formatReport(lines)}\n${'seed' in options ? `\nseed ${String(options['seed'])}\n` : ''}`);
  return lines.every(({ broken }) => broken === 0) ? 0 : 1;
};
