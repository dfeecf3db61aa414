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

class UsageError extends Error {
  override readonly name = 'UsageError';
}

const isUsageError = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_'));

const readArguments = <Options extends SuiteOptions>(
  { options, quick }: Pick<Suite<Options, unknown>, 'options' | 'quick'>,
  argv: readonly string[],
) => {
  const types = Object.entries(options).map(([name, value]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [name, { type }] as const;
  });
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { ...Object.fromEntries(types), only: { type: 'string' }, help: { type: 'boolean' } },
  });
  const { only, help, ...own } = values as Readonly<Record<string, string | boolean>>;
  const given = Object.entries(own).map(([name, value]) => {
    const read = typeof value === 'string' ? Number(value) : value;
    if (typeof read === 'number' && !(read >= 0)) throw new UsageError(`--${name} takes a number.`);
    return [name, read] as const;
  });
  return {
    options: {
      ...options,
      ...('seed' in options && { seed: Date.now() % 1_000_000 }),
      ...(own['quick'] === true && quick),
      ...Object.fromEntries(given),
    },
    words: typeof only === 'string' ? [...positionals, only] : positionals,
    help: help === true,
  };
};

const usageOf = <Options extends SuiteOptions, Scene>(name: string, suite: Suite<Options, Scene>): string => {
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
  for (const word of words)
    if (!parts.some(({ name }) => name.includes(word)))
      throw new UsageError(`No part has "${word}" in its name.`);
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
  const head = ['what', 'tried', 'broken', 'note'];
  const rows = lines.map(({ name, count, broken, note = '' }) => [
    name,
    count.toLocaleString('en'),
    broken.toLocaleString('en'),
    note.replaceAll(/\s+/g, ' '),
  ]);
  const table = [head, ...rows];
  const widthOf = (column: number): number => Math.max(...table.map((row) => row[column]?.length ?? 0));
  return table
    .map(([name = '', tried = '', broken = '', note = '']) =>
      [name.padEnd(widthOf(0)), tried.padStart(widthOf(1)), broken.padStart(widthOf(2)), note]
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** Resolves to the exit code: 1 if anything broke, 2 if the command line makes no sense. */
export const runSuite = async <Options extends SuiteOptions, Scene>(
  suite: Suite<Options, Scene>,
  { name, argv, interrupted, print, progress }: SuiteRun,
): Promise<number> => {
  try {
    const { options, words, help } = readArguments(suite, argv);
    const chosen = choose(suite.parts(options), words);
    if (help) {
      print(usageOf(name, suite));
      return 0;
    }
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
  } catch (error) {
    if (!isUsageError(error)) throw error;
    progress(`${error.message}\n\n${usageOf(name, suite)}`);
    return 2;
  }
};
