import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeLastBackup } from '#server/storage/last-backup.ts';
import { readAdmin } from './support/admin-client.ts';
import { findProgram } from './support/debian-program.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { startTestApp } from './support/test-app.ts';

const RULES = join(import.meta.dirname, '../ops/prometheus-alerts.yaml');
const PROMTOOL = findProgram('usr/bin/promtool');
const RUNBOOK = 'https://git.example.org/operations.md';
/** As Prometheus writes them: a value, what it grows by a minute, and for how many minutes. */
type Series = Readonly<Record<string, string>>;

/** What has to happen, in minutes, for each alert; every other metric stays as it is on a healthy machine. */
const SITUATIONS: Readonly<Record<string, Series>> = {
  WhoflakeDown: { up: '1x10 0x120' },
  WhoflakeAbsent: { 'whoflake_build_info{version="0.2.0"}': '1x10 _x120' },
  WhoflakePoolEmpty: { 'whoflake_pool_tokens{state="healthy"}': '1x10 0x120' },
  WhoflakePoolLow: { 'whoflake_pool_tokens{state="healthy"}': '12x60 6x60' },
  WhoflakePoolBusy: {
    'whoflake_leases_total{outcome="granted"}': '0+90x120',
    'whoflake_leases_total{outcome="pool-busy"}': '0+10x120',
  },
  WhoflakeTokensRetired: { whoflake_tokens_retired_total: '0x90 4x30' },
  WhoflakePaused: { whoflake_egress_paused: '0x60 1x60' },
  WhoflakeLookupsFailing: {
    'whoflake_lookups_total{outcome="found"}': '0+70x120',
    'whoflake_lookups_total{outcome="platform-paused"}': '0+30x120',
  },
  WhoflakePlatformBlocked: {
    'whoflake_platform_requests_total{outcome="blocked"}': '0x116 1x4',
    whoflake_egress_paused: '0x116 1x4',
  },
  WhoflakePlatformFailing: {
    'whoflake_platform_requests_total{outcome="found"}': '0+70x120',
    'whoflake_platform_requests_total{outcome="failed-timeout"}': '0+30x120',
  },
  WhoflakeInvalidRequestsHigh: { whoflake_invalid_requests: '0x110 250x10' },
  WhoflakeErrorsHigh: {
    'whoflake_http_requests_total{route="/lookup",status="200"}': '0+90x120',
    'whoflake_http_requests_total{route="/lookup",status="503"}': '0+10x120',
  },
  WhoflakeInternalErrors: { 'whoflake_http_errors_total{code="internal"}': '0x115 1x5' },
  WhoflakeRestarting: { process_start_time_seconds: '0x100 60x5 120x5 180x10' },
  WhoflakeLatencyHigh: {
    'whoflake_http_request_duration_seconds_bucket{route="/lookup",le="2.5"}': '0x120',
    'whoflake_http_request_duration_seconds_bucket{route="/lookup",le="5"}': '0+10x120',
    'whoflake_http_request_duration_seconds_bucket{route="/lookup",le="+Inf"}': '0+10x120',
  },
  WhoflakeEventLoopSlow: { nodejs_eventloop_lag_p99_seconds: '0.3x120' },
  WhoflakeStorageFailing: { 'whoflake_http_errors_total{code="storage-failed"}': '0x115 1x5' },
  WhoflakeWithdrawnListsAwaited: { whoflake_withdrawn_lists_awaited: '2x120' },
  WhoflakeDiskFull: { whoflake_disk_free_bytes: '4e8x120' },
  WhoflakeVanityPaused: { 'whoflake_vanity_links{state="invite-gone"}': '1x120' },
  WhoflakeBackupOld: { whoflake_backup_timestamp_seconds: '-130000x120' },
  WhoflakeNoBackup: { whoflake_backup_timestamp_seconds: '_x120' },
  WhoflakeRecordsDown: { whoflake_records_up: '1x110 0x10' },
  WhoflakePostgresSlow: {
    'whoflake_state_call_duration_seconds_bucket{le="0.05"}': '0x120',
    'whoflake_state_call_duration_seconds_bucket{le="0.1"}': '0+10x120',
    'whoflake_state_call_duration_seconds_bucket{le="+Inf"}': '0+10x120',
  },
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
        description: 'The admin listener of WhoflakeDown has not answered for two minutes.',
        runbook_url: `${RUNBOOK}#whoflakedown`,
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

/** They are about all machines, so that each needs a test of its own. */
const OF_ALL = new Set(['WhoflakeAbsent', 'WhoflakeNoBackup']);
const labelOf = (alert: string): string => (OF_ALL.has(alert) ? '' : `,instance="${alert}"`);

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
        .map((alert) => ({ labels: `{alertname="${alert}"${labelOf(alert)}}`, value: 1 })),
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
    const together: Record<string, Series> = { healthy };
    const alone: Record<string, Series>[] = [];
    for (const [alert, series] of Object.entries(SITUATIONS)) {
      const machine = { [alert]: { ...healthy, ...series } };
      if (OF_ALL.has(alert)) alone.push(machine);
      else Object.assign(together, machine);
    }
    const tests = [{ ...testOf(together), alert_rule_test: [DOWN] }, ...alone.map(testOf)];
    expect(await run(tests)).toMatch(/SUCCESS\s*$/);
  });
});
