import type { FuzzResult } from '#test/attacks/tally.ts';

export type ReportLine = FuzzResult & { readonly name: string };

/** The options of a suite with their defaults. A `seed` that nobody gives is drawn. */
export type SuiteOptions = Readonly<Record<string, number | boolean>>;

/** One thing that a suite tries; the words on the command line choose parts by their names. */
export type Part<Scene> = {
  readonly name: string;
  /** Why it cannot run on this machine; null if it can. */
  readonly whyNot?: () => string | null;
  readonly run: (scene: Scene) => Promise<FuzzResult>;
};

export type Suite<Options extends SuiteOptions, Scene = Options> = {
  readonly about: string;
  readonly options: Options;
  readonly parts: (options: Options) => readonly Part<Scene>[];
  /** Sets the scene, has the chosen parts run in it, and adds what shows only at the end. */
  readonly play: (
    options: Options,
    runParts: (scene: Scene) => Promise<ReportLine[]>,
  ) => Promise<readonly ReportLine[]>;
};

/** A suite whose parts need nothing but its options. */
export const plainSuite = <Options extends SuiteOptions>(
  suite: Omit<Suite<Options>, 'play'>,
): Suite<Options> => ({ ...suite, play: (options, runParts) => runParts(options) });
