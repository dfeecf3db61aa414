import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/cli/commands.ts';
import { LEAST_FREE_BYTES } from '#server/storage/data-folder.ts';
import { BACKUP_IS_OLD_MS, seriesName } from '#server/storage/last-backup.ts';
import { readAdmin } from '#test/support/admin-client.ts';
import { findProgram } from '#test/support/debian-program.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp } from '#test/support/test-app.ts';

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};
/** As Prometheus writes them: a value, what it grows by a minute, and for how many minutes. */
type Series = Readonly<Record<string, string>>;

const ROOT = join(import.meta.dirname, '../..');
const RULES = join(ROOT, 'ops/prometheus-alerts.yaml');
const PROMTOOL = findProgram('usr/bin/promtool');
const MINUTES = 120;

const rulesText = readFileSync(RULES, 'utf8');
const { groups } = parse(rulesText) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
/** What has to happen, in minutes, for each alert; every other metric stays as it is on a healthy machine. */
const SITUATIONS: Readonly<Record<string, Series>> = {
  WhoflakeDown: { up: '1x10 0x120' },
  WhoflakePoolLow: { 'whoflake_pool_tokens{state="healthy"}': '12x60 6x60' },
  WhoflakePaused: { whoflake_egress_paused: '0x60 1x60' },
  WhoflakeLookupsFailing: {
    'whoflake_lookups_total{outcome="found"}': '0+70x120',
    'whoflake_lookups_total{outcome="platform-paused"}': '0+30x120',
  },
  WhoflakeErrorsHigh: {
    'whoflake_http_requests_total{route="/lookup",status="200"}': '0+90x120',
    'whoflake_http_requests_total{route="/lookup",status="503"}': '0+10x120',
  },
  WhoflakeDiskFull: { whoflake_disk_free_bytes: '4e8x120' },
  WhoflakeBackupOld: { whoflake_backup_timestamp_seconds: '-130000x120' },
  WhoflakeRecordsDown: { whoflake_records_up: '1x110 0x10' },
  WhoflakeUnreachable: { 'probe_success{job="whoflake-public"}': '1x110 0x10' },
  WhoflakeCertificateExpiring: {
    'probe_ssl_earliest_cert_expiry{job="whoflake-public"}': `${6 * 86_400}x120`,
  },
};

/** Of a healthy machine with one token, and then of one that has met every outcome that the files name. */
const readMetrics = async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, seriesName(0)), 'SQLite format 3\0'.padEnd(1_024));
  await using test = await startTestApp({ env: { BACKUP_DIR: folder.path } });
  await test.settle(test.lookUp('441997505123577857'));
  const healthy = (await readAdmin(test.app, '/metrics')).text;
  await test.app.server.inject('/healthz');
  test.sandbox.faults.set({ status: 500 });
  await test.settle(test.lookUp('441997505123577858'));
  return { healthy, all: (await readAdmin(test.app, '/metrics')).text };
};
let metrics: Awaited<ReturnType<typeof readMetrics>>;
beforeAll(async () => {
  metrics = await readMetrics();
});

it.each(rules)('the alert $alert asks only for metrics and labels that the server has', ({ expr }) => {
  const asked = [...expr.matchAll(/\b((?:whoflake|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
  const unknown = asked.filter(([, metric = '', picked = '']) => {
    const lines = metrics.all.match(new RegExp(`^${metric}(?:\\{| ).*$`, 'gm')) ?? [];
    const labels = [...picked.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => label);
    const has = (label: string) => /^(?:instance|job)$/.test(label) || lines.join().includes(`${label}="`);
    return lines.length === 0 || !labels.every(has);
  });
  expect(unknown.map(([selector]) => selector)).toEqual([]);
});

describe('the alerts', () => {
  it.each(rules)('the alert $alert says what is wrong and what to do', ({ alert, labels, annotations }) => {
    expect(alert).toMatch(/^Whoflake[A-Z]\w+$/);
    expect(['critical', 'warning', 'info']).toContain(labels['severity']);
    expect(annotations['summary']).toMatch(/^[A-Z].*[^.]$/);
    expect(annotations['description']).toMatch(/^[A-Z{].+?\. [A-Z`].+\.$/);
    for (const [, typed = ''] of annotations['description']?.matchAll(/`ops ([^`]+)`/g) ?? [])
      expect(COMMANDS.map(({ name }) => name)).toContain(typed);
  });

  it('the alerts find a backup old and a disk full when the doctor does', () => {
    const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr;
    expect(exprOf('WhoflakeBackupOld')).toMatch(` > ${BACKUP_IS_OLD_MS / 3_600_000} * 3600`);
    expect(exprOf('WhoflakeDiskFull')).toMatch(` < ${LEAST_FREE_BYTES / 1024 / 1024} * 1024 * 1024`);
  });
});

const readHealthy = (): Series => ({
  ...Object.fromEntries(
    [...metrics.healthy.matchAll(/^((\w+)(?:\{.*\})?) (\S+)$/gm)]
      .filter(([, , metric = '']) => rulesText.includes(metric))
      .map(([, name = '', , value = '']) => [name, `${value}x120`]),
  ),
  up: '1x120',
  // Of the machine that the tests run on.
  nodejs_eventloop_lag_p99_seconds: '0.02x120',
  whoflake_disk_free_bytes: '4e9x120',
});

const withLabels = (name: string, machine: string): string => {
  const [, metric = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? [];
  const job = labels.includes('job=') ? [] : ['job="whoflake"'];
  return `${metric}{${[labels, ...job, `instance="${machine}"`].filter(Boolean).join(',')}}`;
};

/** Machines, each named after the alert that fires there and nowhere else. */
const testOf = (machines: Readonly<Record<string, Series>>) => ({
  interval: '1m',
  input_series: Object.entries(machines).flatMap(([machine, series]) =>
    Object.entries(series).map(([metric, values]) => ({ series: withLabels(metric, machine), values })),
  ),
  promql_expr_test: [
    {
      expr: 'count by (alertname, instance) (ALERTS{alertstate="firing"})',
      eval_time: `${MINUTES}m`,
      exp_samples: Object.keys(SITUATIONS).map((alert) => ({
        labels: `{alertname="${alert}",instance="${alert}"}`,
        value: 1,
      })),
    },
  ],
});

const promtool = async (args: readonly string[], name: string, content: string): Promise<string> => {
  using folder = temporaryFolder();
  const file = join(folder.path, name);
  writeFileSync(file, content);
  const { stdout } = await promisify(execFile)(PROMTOOL ?? '', [...args, file]).catch(
    (error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }),
  );
  return stdout;
};

describe.skipIf(PROMTOOL === null)('Prometheus', () => {
  it('every alert fires in its situation, and none on a healthy machine with one token', async () => {
    expect(rules.map(({ alert }) => alert).toSorted()).toEqual(Object.keys(SITUATIONS).toSorted());
    const healthy = readHealthy();
    const machines = Object.entries(SITUATIONS).map(([alert, series]) => [alert, { ...healthy, ...series }]);
    const tests = [testOf({ healthy, ...(Object.fromEntries(machines) as Record<string, Series>) })];
    const content = JSON.stringify({ rule_files: [RULES], evaluation_interval: '5m', tests });
    expect(await promtool(['test', 'rules'], 'test.json', content)).toMatch(/SUCCESS\s*$/);
  });

  it('Prometheus understands the settings in docs/monitoring.md, and finds all alerts', async () => {
    const page = readFileSync(join(ROOT, 'docs/monitoring.md'), 'utf8');
    const [, settings = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
    const content = settings.replace('prometheus-alerts.yaml', RULES);
    const said = await promtool(['check', 'config'], 'prometheus.yml', content);
    expect(said).toContain(`${rules.length} rules found`);
    for (const [metric] of page.matchAll(/\bwhoflake_\w+/g))
      expect(metrics.all).toContain(`# TYPE ${metric} `);
  });
});
