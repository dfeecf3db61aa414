import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LEAST_FREE_BYTES } from '#server/storage/disk-space.ts';
import { BACKUP_IS_OLD_MS, writeLastBackup } from '#server/storage/last-backup.ts';
import { readAdmin } from '#test/support/admin-client.ts';
import { startTestApp } from '#test/support/test-app.ts';

/** A metric as an expression picks it, with the labels that it must have. */
type Selector = { readonly metric: string; readonly matchers: readonly Matcher[] };
type Matcher = { readonly label: string; readonly operator: '=' | '=~'; readonly value: string };

const KEYWORDS = new Set(['and', 'or', 'unless', 'by', 'on', 'bool', 'ignoring', 'without']);
const CLAUSE = /\b(?:by|on|without|ignoring) \(([^)]*)\)/g;
const RANGE = /\[[^\]]*\]/g;
const MATCHERS = /(\w+)(=~|=|!=|!~)"([^"]*)"/g;

/** As much of the query language as the files in ops/ use: whatever is not a function or keyword is a metric. */
const selectorsIn = (expression: string): Selector[] => {
  const plain = expression.replaceAll(CLAUSE, ' ').replaceAll(RANGE, ' ');
  return [...plain.matchAll(/([a-zA-Z_:][\w:]*)(\{[^}]*\})?(\s*\()?/g)]
    .filter(([, word = '', , call]) => call === undefined && !KEYWORDS.has(word))
    .map(([, metric = '', braces = '']) => ({ metric, matchers: matchersIn(braces) }));
};

/** The labels that an expression groups or joins by. */
const groupingsIn = (expression: string): string[] =>
  [...expression.matchAll(CLAUSE)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );

const matchersIn = (braces: string): Matcher[] =>
  [...braces.matchAll(MATCHERS)].map(([, label = '', operator, value = '']) => {
    // What is excluded must exist as well.
    return { label, operator: operator?.endsWith('~') === true ? '=~' : '=', value };
  });

/** What a matcher asks for, one by one: `a|b` must not pass because there is an a. */
const alternativesOf = ({ operator, value }: Matcher): ((found: string) => boolean)[] =>
  operator === '='
    ? [(found) => found === value]
    : value.split('|').map((alternative) => (found) => new RegExp(`^(?:${alternative})$`).test(found));

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};
type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
};

const ROOT = join(import.meta.dirname, '..');
const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const { groups } = parse(readText('ops/prometheus-alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels, templating } = JSON.parse(readText('ops/grafana-dashboard.json')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
};
const targets = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));
const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...targets.map(({ title, expr }) => ({ where: title, expr })),
];

/** Prometheus itself makes the first, and its blackbox exporter the others. */
const NOT_OURS = new Set(['up', 'probe_success', 'probe_ssl_earliest_cert_expiry']);
/** Put on all metrics by Prometheus. */
const SCRAPED = new Set(['instance', 'job']);
/** Node tells these on Linux only. */
const ON_LINUX = new Set(['process_open_fds', 'process_max_fds']);
const isHere = ({ metric }: Selector): boolean =>
  !NOT_OURS.has(metric) && (process.platform === 'linux' || !ON_LINUX.has(metric));

/** Every combination of labels that the app exposes, by metric. */
let exposed: ReadonlyMap<string, Readonly<Record<string, string>>[]>;
const labelSetsOf = (metric: string) => exposed.get(metric) ?? [];

beforeAll(async () => {
  await using test = await startTestApp();
  // Enough for every route, outcome and status that the files name.
  writeLastBackup(test.dataDir, { at: '2026-11-15T03:00:00.000Z', file: '/backups/1' });
  await test.settle(test.lookUp('441997505123577857'));
  await test.app.server.inject('/healthz');
  test.sandbox.faults.set({ status: 500 });
  await test.settle(test.lookUp('441997505123577858'));
  const { text } = await readAdmin(test.app, '/metrics');
  const series = [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, metric = '', labels = '']) => {
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value]);
    return { metric, labels: Object.fromEntries(pairs) as Record<string, string> };
  });
  const grouped = Map.groupBy(series, ({ metric }) => metric);
  exposed = new Map([...grouped].map(([metric, all]) => [metric, all.map(({ labels }) => labels)]));
});

describe('every expression in ops/', () => {
  it('is found', () => {
    expect(rules).toHaveLength(10);
    expect(targets.length).toBeGreaterThan(40);
    expect(selectorsIn('sum by (a) (rate(b_total{c=~"d|e"}[5m])) / f > 0.2 and on (g) h')).toEqual([
      { metric: 'b_total', matchers: [{ label: 'c', operator: '=~', value: 'd|e' }] },
      { metric: 'f', matchers: [] },
      { metric: 'h', matchers: [] },
    ]);
  });

  it.each(expressions)('names only metrics and labels that there are: $where', ({ expr }) => {
    const selectors = selectorsIn(expr).filter(isHere);
    expect(selectors.map(({ metric }) => metric).filter((metric) => !exposed.has(metric))).toEqual([]);
    for (const { metric, matchers } of selectors) {
      for (const matcher of matchers.filter(({ label }) => !SCRAPED.has(label))) {
        const values = labelSetsOf(metric).map((labels) => labels[matcher.label] ?? '');
        for (const isMet of alternativesOf(matcher))
          expect(values.some(isMet), `${metric} has a ${matcher.label} ${matcher.value}`).toBe(true);
      }
    }
    const labels = selectors.flatMap(({ metric }) => labelSetsOf(metric)).flatMap(Object.keys);
    for (const label of groupingsIn(expr)) expect([...labels, ...SCRAPED]).toContain(label);
  });
});

describe('the alerts', () => {
  it.each(rules)('$alert says what is wrong and where to read on', ({ alert, labels, annotations }) => {
    expect(alert).toMatch(/^Whoflake[A-Z]\w+$/);
    expect(['critical', 'warning', 'info']).toContain(labels['severity']);
    expect(annotations['summary']).toMatch(/^[A-Z].*[^.]$/);
    expect(annotations['description']).toMatch(/\.$/);
    expect(annotations['runbook_url']).toBe('{{ $externalLabels.runbook }}#alerts');
  });

  it('find a backup old and a disk full when the doctor does', () => {
    const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr;
    expect(exprOf('WhoflakeBackupOld')).toMatch(` > ${BACKUP_IS_OLD_MS / 3_600_000} * 3600`);
    expect(exprOf('WhoflakeDiskFull')).toMatch(` < ${LEAST_FREE_BYTES / 1024 / 1024} * 1024 * 1024`);
  });

  it('have a line each in the runbook', () => {
    const rows = readText('docs/operations.md').match(/(?<=^\| `)Whoflake\w+(?=`)/gm);
    expect(new Set(rows)).toEqual(new Set(rules.map(({ alert }) => alert)));
  });
});

describe('the dashboard', () => {
  it('goes from the visitors down to the process, for any data source', () => {
    const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual(['Visitors', 'Lookups', 'Token pool', 'Platform', 'Process', 'PostgreSQL']);
    expect(templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource' }),
    );
    const charts = panels.filter(({ type }) => type !== 'row');
    expect(new Set(charts.map(({ datasource }) => datasource?.uid))).toEqual(new Set(['${datasource}']));
  });

  it('has no panel upon another', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it.each(targets.filter(({ legendFormat }) => legendFormat.includes('{{')))(
    'labels the lines of $title by what tells them apart: $legendFormat',
    ({ expr, legendFormat }) => {
      const known = [...groupingsIn(expr), ...SCRAPED, 'version'];
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(known).toContain(label);
    },
  );
});
