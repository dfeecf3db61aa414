import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeLastBackup } from '#server/storage/last-backup.ts';
import { readAdmin } from '#test/support/admin-client.ts';
import { findProgram } from '#test/support/debian-program.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp } from '#test/support/test-app.ts';

const RULES = join(import.meta.dirname, '../../ops/prometheus-alerts.yaml');
const PROMTOOL = findProgram('usr/bin/promtool');
const RUNBOOK = 'https://git.example.org/operations.md';
/** As Prometheus writes them: a value, what it grows by a minute, and for how many minutes. */
type Series = Readonly<Record<string, string>>;

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
const AT_MINUTES = 120;

/** Links to the runbook that Prometheus was told of. */
const DOWN = {
  alertname: 'WhoflakeDown',
  eval_time: `${AT_MINUTES}m`,
  exp_alerts: [
    {
      exp_labels: { severity: 'critical', job: 'whoflake', instance: 'WhoflakeDown' },
      exp_annotations: {
        summary: 'Whoflake is not answering',
        description:
          'The admin listener of WhoflakeDown has not answered for two minutes. Run `systemctl status whoflake` and read the journal; if the server runs, check ADMIN_HOST and ADMIN_PORT.',
        runbook_url: `${RUNBOOK}#alerts`,
      },
    },
  ],
};

const withLabels = (name: string, machine: string): string => {
  const [, metric = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? [];
  const scraped = [labels, /job=/.test(labels) ? '' : 'job="whoflake"', `instance="${machine}"`].filter(
    Boolean,
  );
  return `${metric}{${scraped.join(',')}}`;
};

/** A healthy machine with one token: what the alerts look at. */
const readHealthy = async (): Promise<Series> => {
  await using test = await startTestApp();
  writeLastBackup(test.dataDir, { at: new Date(0).toISOString(), file: '/backups/1' });
  await test.settle(test.lookUp('441997505123577857'));
  const { text } = await readAdmin(test.app, '/metrics');
  const rules = readFileSync(RULES, 'utf8');
  const samples = [...text.matchAll(/^((\w+)(?:\{.*\})?) (\S+)$/gm)].filter(([, , metric = '']) =>
    rules.includes(metric),
  );
  return {
    ...Object.fromEntries(samples.map(([, name = '', , value = '']) => [name, `${value}x120`])),
    up: '1x120',
    // Of the machine that the tests run on.
    nodejs_eventloop_lag_p99_seconds: '0.02x120',
    whoflake_disk_free_bytes: '4e9x120',
  };
};

/** Machines, each named after the alert that fires there and nowhere else. */
const testOf = (machines: Readonly<Record<string, Series>>) => ({
  interval: '1m',
  external_labels: { runbook: RUNBOOK },
  input_series: Object.entries(machines).flatMap(([machine, series]) =>
    Object.entries(series).map(([metric, values]) => ({ series: withLabels(metric, machine), values })),
  ),
  promql_expr_test: [
    {
      expr: 'count by (alertname, instance) (ALERTS{alertstate="firing"})',
      eval_time: `${AT_MINUTES}m`,
      exp_samples: Object.keys(machines)
        .filter((machine) => machine !== 'healthy')
        .map((alert) => ({ labels: `{alertname="${alert}",instance="${alert}"}`, value: 1 })),
    },
  ],
});

const run = async (tests: readonly unknown[]): Promise<string> => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'test.json');
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '5m', tests }));
  const { stdout } = await promisify(execFile)(PROMTOOL ?? '', ['test', 'rules', file]).catch(
    (error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }),
  );
  return stdout;
};

describe.skipIf(PROMTOOL === null)('the alerts, in Prometheus', () => {
  it('has a situation for each', () => {
    const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] };
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    expect(alerts.toSorted()).toEqual(Object.keys(SITUATIONS).toSorted());
  });

  it('fire in their situation, and none on a healthy machine with one token', async () => {
    const healthy = await readHealthy();
    const machines = Object.fromEntries(
      Object.entries(SITUATIONS).map(([alert, series]) => [alert, { ...healthy, ...series }]),
    );
    const test = { ...testOf({ healthy, ...machines }), alert_rule_test: [DOWN] };
    expect(await run([test])).toMatch(/SUCCESS\s*$/);
  });
});
