import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig, settingNames } from '#server/config.ts';
import { STOP_MS } from '#server/deadlines.ts';
import { findProgram } from '#test/support/debian-program.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

type Service = {
  profiles?: string[];
  environment?: Readonly<Record<string, string | number>>;
  ports?: string[];
  volumes?: string[];
  secrets?: string[];
  networks: string[] | Readonly<Record<string, { ipv4_address?: string }>>;
  stop_grace_period?: string;
};
type Compose = {
  services: Readonly<Record<string, Service>>;
  networks: Readonly<Record<string, object | null>>;
  volumes: Readonly<Record<string, null>>;
  secrets: Readonly<Record<string, { file: string }>>;
  configs: Readonly<Record<string, { content: string }>>;
};

const NONE: Service = { networks: [] };

const ROOT = join(import.meta.dirname, '../../..');
const PROMTOOL = findProgram('usr/bin/promtool');

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const load = (name: string) => {
  const text = read(name);
  const compose = parse(text, { merge: true }) as Compose;
  const { caddy = NONE, postgres = NONE, ...others } = compose.services;
  const nodes = Object.values(others).filter(({ profiles }) => profiles === undefined);
  return { text, compose, caddy, postgres, nodes };
};
const networksOf = ({ networks }: Service): string[] =>
  Array.isArray(networks) ? [...networks] : Object.keys(networks);
const addressOf = ({ networks }: Service, network = 'front'): string | undefined =>
  (networks as Record<string, { ipv4_address?: string }>)[network]?.ipv4_address;

describe.each([
  ['compose.full.yaml', 1],
  ['compose.cluster.yaml', 2],
])('%s', (name, count) => {
  const { text, compose, caddy, nodes } = load(name);
  const services = Object.values(compose.services);

  it('has its nodes, and for each what the server knows and nothing else', () => {
    expect(nodes).toHaveLength(count);
    for (const { environment = {} } of nodes)
      expect(Object.keys(environment).filter((setting) => !settingNames().includes(setting))).toEqual([]);
  });

  it('has the nodes believe the address that Caddy gets, and no other', () => {
    expect(addressOf(caddy)).toMatch(/^172\./);
    for (const { environment } of nodes)
      expect(environment?.['TRUSTED_PROXIES']).toBe(`${addressOf(caddy)}/32`);
  });

  it('publishes the ports of the web and nothing else', () => {
    expect(caddy.ports).toEqual(['80:80', '443:443', '443:443/udp']);
    const published = services.filter((service) => service !== caddy).flatMap(({ ports = [] }) => ports);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('names no volume, network or secret that is not there', () => {
    const named = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    expect(named.filter((volume) => !volume.startsWith('.') && !(volume in compose.volumes))).toEqual([]);
    expect(services.flatMap(networksOf).filter((network) => !(network in compose.networks))).toEqual([]);
    const secrets = services.flatMap((service) => service.secrets ?? []);
    expect(secrets.filter((secret) => !(secret in compose.secrets))).toEqual([]);
    // What must be made before the first start is said at the top.
    for (const { file } of Object.values(compose.secrets))
      expect(text.split('\nservices:')[0]).toContain(file.slice(2));
  });

  it('lets a node answer what is under way', () => {
    for (const { environment, stop_grace_period: grace = '' } of nodes) {
      const delaySeconds = Number(environment?.['STOP_DELAY_SECONDS'] ?? 0);
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(delaySeconds + STOP_MS / 1_000);
    }
  });
});

describe('compose.yaml', () => {
  const text = read('compose.yaml');
  const { services } = parse(text) as Compose;
  const { whoflake = NONE } = services;

  it('needs no other file, and takes no port of the web', () => {
    expect(text).not.toMatch(/\.\/|env_file|build:|subnet|secrets/);
    expect(whoflake.ports).toEqual(['127.0.0.1:8080:8080']);
  });

  it('has settings that the server starts with', () => {
    const { environment = {} } = whoflake;
    expect(Object.keys(environment).filter((setting) => !settingNames().includes(setting))).toEqual([]);
    const parsed = parseConfig(environment as Record<string, string>, () => '');
    expect(parsed).toMatchObject({ ok: true });
  });
});

describe('the profile "monitoring" of compose.full.yaml', () => {
  const { compose, caddy, nodes } = load('compose.full.yaml');
  const { prometheus = NONE, grafana = NONE } = compose.services;
  const [whoflake = NONE] = nodes;

  it('reads the admin listener over a network that leads nowhere else', () => {
    const adminHost = whoflake.environment?.['ADMIN_HOST'];
    expect(addressOf(whoflake, 'monitoring')).toBe(adminHost);
    expect(compose.networks['monitoring']).toMatchObject({ internal: true });
    expect(networksOf(prometheus)).toEqual(['monitoring']);
    expect(networksOf(caddy)).not.toContain('monitoring');
    expect(compose.configs['prometheus']?.content).toContain(`targets: ['${adminHost}:8082']`);
  });

  it('mounts files that are there', () => {
    const mounted = [...(prometheus.volumes ?? []), ...(grafana.volumes ?? [])];
    const files = mounted.filter((volume) => volume.startsWith('./'));
    expect(files).toHaveLength(4);
    for (const file of files) expect(read(file.split(':')[0] ?? '')).not.toBe('');
  });

  it.skipIf(PROMTOOL === null)('has settings that Prometheus understands', () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'prometheus.yml');
    const content = compose.configs['prometheus']?.content.replace(
      '${PUBLIC_URL}',
      'https://whoflake.example.org',
    );
    writeFileSync(
      file,
      (content ?? '').replace('/etc/prometheus/alerts.yaml', join(ROOT, 'ops/prometheus-alerts.yaml')),
    );
    const rules = read('ops/prometheus-alerts.yaml').match(/^ +- alert:/gm)?.length;
    expect(execFileSync(PROMTOOL ?? '', ['check', 'config', file], { encoding: 'utf8' })).toContain(
      `${rules} rules found`,
    );
  });
});

describe('compose.cluster.yaml', () => {
  const { compose, caddy, postgres, nodes } = load('compose.cluster.yaml');

  it('has Caddy ask each node where it listens', () => {
    expect(caddy.environment?.['NODES']).toBe(
      nodes.map((node) => `${addressOf(node)}:${node.environment?.['PORT']}`).join(' '),
    );
    for (const node of nodes) expect(node.environment?.['ADMIN_HOST']).toBe(addressOf(node));
    expect(caddy.volumes).toContain('./ops/Caddyfile.cluster:/etc/caddy/Caddyfile:ro');
  });

  it('gives every node the same keys and its own data', () => {
    const volumes = nodes.map((node) => node.volumes ?? []);
    expect(new Set(volumes.map(([, keys]) => keys))).toEqual(new Set(['keys:/keys']));
    expect(new Set(volumes.map(([data]) => data)).size).toBe(volumes.length);
  });

  it('keeps PostgreSQL from everybody but the servers', () => {
    expect(compose.networks['back']).toEqual({ internal: true });
    expect(networksOf(postgres)).toEqual(['back']);
    expect(networksOf(caddy)).toEqual(['front']);
  });

  it('stops a node only after Caddy has seen that it goes', () => {
    const caddyfile = read('ops/Caddyfile.cluster');
    const checkSeconds = Number(/health_interval (\d+)s/.exec(caddyfile)?.[1]);
    const timeoutSeconds = Number(/health_timeout (\d+)s/.exec(caddyfile)?.[1]);
    for (const { environment } of nodes)
      expect(Number(environment?.['STOP_DELAY_SECONDS'])).toBeGreaterThan(checkSeconds + timeoutSeconds);
  });
});
