export type Registry = ReturnType<typeof createRegistry>;

/** One label, and what there is of each of its values. */
type By<T> = Readonly<Record<string, T>>;
type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [name: string, labels: Labels, value: number];
type Type = 'counter' | 'gauge' | 'histogram';
type Family = { readonly type: Type; readonly help: string; readonly reads: (() => Sample[])[] };

/** In seconds: from an answer out of memory to the longest a visitor waits. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const createRegistry = () => {
  const families = new Map<string, Family>();
  const register = (type: Type, [name, help]: readonly [string, string], read: () => Sample[]): void => {
    const family = families.get(name) ?? { type, help, reads: [] };
    families.set(name, family);
    family.reads.push(read);
  };

  const withLabels = (labels: Labels) => ({
    /** The values that are named start at zero: a rise from nothing would go unseen by an alert. */
    counter: <Value extends string | number>(name: string, help: string, by: By<readonly Value[]>) => {
      const [[label, known] = ['', []]] = Object.entries(by);
      const counts = new Map(known.map((value) => [value, 0]));
      register('counter', [name, help], () =>
        Array.from(counts, ([value, count]) => [name, { ...labels, [label]: value }, count]),
      );
      return (value: Value): void => {
        counts.set(value, (counts.get(value) ?? 0) + 1);
      };
    },
    histogram: (name: string, help: string) => {
      const counts = [...BOUNDS, Infinity].map(() => 0);
      let sum = 0;
      register('histogram', [name, help], () => histogramSamples(name, labels, { counts, sum }));
      return (seconds: number): void => {
        let bucket = 0;
        while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket += 1;
        counts[bucket] = (counts[bucket] as number) + 1;
        sum += seconds;
      };
    },
  });

  const single =
    (type: Type) =>
    (name: string, help: string, read: () => number | null): void =>
      register(type, [name, help], () => {
        const value = read();
        return value === null ? [] : [[name, {}, value]];
      });

  return {
    ...withLabels({}),
    tally: (name: string, help: string) => {
      let count = 0;
      register('counter', [name, help], () => [[name, {}, count]]);
      return (): void => {
        count += 1;
      };
    },
    withLabels,
    total: single('counter'),
    gauge: single('gauge'),
    gaugeBy: (name: string, help: string, by: By<() => Readonly<Record<string, number>>>): void =>
      register('gauge', [name, help], () =>
        Object.entries(by).flatMap(([label, read]) =>
          Object.entries(read()).map(([key, value]): Sample => [name, { [label]: key }, value]),
        ),
      ),
    render: () => Array.from(families, renderFamily).join(''),
  };
};

/** Buckets are cumulative. */
const histogramSamples = (
  name: string,
  labels: Labels,
  { counts, sum }: { readonly counts: readonly number[]; readonly sum: number },
): Sample[] => {
  let total = 0;
  const buckets = counts.map((count, bucket): Sample => {
    total += count;
    return [`${name}_bucket`, { ...labels, le: BOUNDS[bucket] ?? '+Inf' }, total];
  });
  return [...buckets, [`${name}_sum`, labels, sum], [`${name}_count`, labels, total]];
};

const renderFamily = ([name, { type, help, reads }]: readonly [string, Family]): string => {
  const samples = reads.flatMap((read) => read());
  const lines = samples.map((sample) => `${sample[0]}${renderLabels(sample[1])} ${sample[2]}\n`);
  return `# HELP ${name} ${escape(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
};

const renderLabels = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(
    ([label, value]) => `${label}="${escape(String(value)).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
