import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LEAST_FREE_BYTES } from '#server/storage/disk-space.ts';
import { BACKUP_IS_OLD_MS, writeLastBackup } from '#server/storage/last-backup.ts';
import { readAdmin } from '#test/support/admin-client.ts';
import { startTestApp } from '#test/support/test-app.ts';

/** Each metric that an expression asks for, with the labels that it picks by. */
const selectorsIn = (expression: string) =>
  [...expression.matchAll(/\b((?:whoflake|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', picked = '']) => ({
      metric,
      labels: [...picked.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => label),
    }),
  );

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};
type Panel = {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
};

const ROOT = join(import.meta.dirname, '../..');
const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const { groups } = parse(readText('ops/prometheus-alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readText('ops/grafana-dashboard.json')) as {
  readonly panels: readonly Panel[];
};
const targets = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));
const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...targets.map(({ title, expr }) => ({ where: title, expr })),
];

/** Put on all metrics by Prometheus. */
const SCRAPED = ['instance', 'job'];
/** Node tells these on Linux only. */
const ON_LINUX = new Set(['process_open_fds', 'process_max_fds']);
const isHere = ({ metric }: { readonly metric: string }): boolean =>
  process.platform === 'linux' || !ON_LINUX.has(metric);

let exposed: ReadonlyMap<string, ReadonlySet<string>>;

beforeAll(async () => {
  await using test = await startTestApp();
  // Enough for every route, outcome and status that the files name.
  writeLastBackup(test.dataDir, { at: '2026-11-15T03:00:00.000Z', file: '/backups/1' });
  await test.settle(test.lookUp('441997505123577857'));
  await test.app.server.inject('/healthz');
  test.sandbox.faults.set({ status: 500 });
  await test.settle(test.lookUp('441997505123577858'));
  const { text } = await readAdmin(test.app, '/metrics');
  const series = [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)];
  const grouped = Map.groupBy(series, ([, metric = '']) => metric);
  exposed = new Map(
    [...grouped].map(([metric, lines]) => [
      metric,
      new Set(lines.flatMap(([, , labels = '']) => labels.match(/\w+(?==)/g) ?? []).concat(SCRAPED)),
    ]),
  );
});

describe('every expression in ops/', () => {
  it('is found', () => {
    expect(rules).toHaveLength(10);
    expect(targets.length).toBeGreaterThan(40);
    expect(selectorsIn('rate(whoflake_b_total{c=~"d|e",f!="g"}[5m]) / process_h')).toEqual([
      { metric: 'whoflake_b_total', labels: ['c', 'f'] },
      { metric: 'process_h', labels: [] },
    ]);
  });

  it.each(expressions)('names only metrics and labels that there are: $where', ({ expr }) => {
    const unknown = selectorsIn(expr)
      .filter(isHere)
      .filter(
        ({ metric, labels }) =>
          !labels.every((label) => exposed.get(metric)?.has(label)) || !exposed.has(metric),
      );
    expect(unknown).toEqual([]);
  });
});

describe('the alerts', () => {
  it.each(rules)(
    '$alert says what is wrong, what to do and where to read on',
    ({ alert, labels, annotations }) => {
      expect(alert).toMatch(/^Whoflake[A-Z]\w+$/);
      expect(['critical', 'warning', 'info']).toContain(labels['severity']);
      expect(annotations['summary']).toMatch(/^[A-Z].*[^.]$/);
      expect(annotations['description']).toMatch(/^[A-Z{].+?\. [A-Z`].+\.$/);
      expect(annotations['runbook_url']).toBe('{{ $externalLabels.runbook }}#alerts');
    },
  );

  it('find a backup old and a disk full when the doctor does', () => {
    const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr;
    expect(exprOf('WhoflakeBackupOld')).toMatch(` > ${BACKUP_IS_OLD_MS / 3_600_000} * 3600`);
    expect(exprOf('WhoflakeDiskFull')).toMatch(` < ${LEAST_FREE_BYTES / 1024 / 1024} * 1024 * 1024`);
  });
});
