import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingNames } from '#server/config.ts';
import { STOP_MS } from '#server/deadlines.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';

type Service = {
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly command?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly stop_grace_period?: string;
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const text = read('compose.cluster.yaml');
const compose = parse(text, { merge: true }) as Compose;
const { caddy, postgres, valkey, ...nodes } = compose.services;
const networksOf = ({ networks }: Service): string[] =>
  Array.isArray(networks) ? [...networks] : Object.keys(networks);
const addressOf = ({ networks }: Service): string | undefined =>
  Array.isArray(networks)
    ? undefined
    : (networks as Record<string, { ipv4_address?: string }>)['front']?.ipv4_address;

describe('compose.cluster.yaml', () => {
  it('has two nodes, and for each what the server knows and nothing else', () => {
    expect(Object.keys(nodes)).toEqual(['node-1', 'node-2']);
    for (const { environment = {} } of Object.values(nodes))
      expect(Object.keys(environment).filter((name) => !settingNames().includes(name))).toEqual([]);
  });

  it('has Caddy ask each node where it listens, and the nodes believe Caddy and nobody else', () => {
    expect(caddy?.environment?.['NODES']).toBe(
      Object.values(nodes)
        .map((node) => `${addressOf(node)}:${node.environment?.['PORT']}`)
        .join(' '),
    );
    for (const node of Object.values(nodes)) {
      expect(node.environment?.['ADMIN_HOST']).toBe(addressOf(node));
      expect(node.environment?.['TRUSTED_PROXIES']).toBe(`${addressOf(caddy as Service)}/32`);
    }
    expect(caddy?.volumes).toContain('./ops/Caddyfile.cluster:/etc/caddy/Caddyfile:ro');
  });

  it('gives every node the same keys and its own data', () => {
    const volumes = Object.values(nodes).map((node) => node.volumes ?? []);
    expect(new Set(volumes.map(([, keys]) => keys))).toEqual(new Set(['keys:/keys']));
    expect(new Set(volumes.map(([data]) => data)).size).toBe(volumes.length);
  });

  it('keeps PostgreSQL and Valkey from everybody but the nodes, and publishes the ports of the web only', () => {
    expect(compose.networks['back']).toEqual({ internal: true });
    for (const store of [postgres, valkey]) expect(networksOf(store as Service)).toEqual(['back']);
    expect(networksOf(caddy as Service)).toEqual(['front']);
    const publishing = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(publishing.map(([name, { ports }]) => [name, ports])).toEqual([
      ['caddy', ['80:80', '443:443', '443:443/udp']],
    ]);
  });

  it('names no volume, network or secret that is not there', () => {
    const services = Object.values(compose.services);
    const named = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    expect(named.filter((name) => !name.startsWith('.') && !(name in compose.volumes))).toEqual([]);
    expect(services.flatMap(networksOf).filter((name) => !(name in compose.networks))).toEqual([]);
    const secrets = services.flatMap((service) => service.secrets ?? []);
    expect(secrets.filter((name) => !(name in compose.secrets))).toEqual([]);
    // What must be made before the first start is said at the top.
    for (const { file } of Object.values(compose.secrets))
      expect(text.split('\nname:')[0]).toContain(file.slice(2));
  });

  it('lets a node answer what is under way, after Caddy has seen that it goes', () => {
    const checkSeconds = Number(/health_interval (\d+)s/.exec(read('ops/Caddyfile.cluster'))?.[1]);
    const timeoutSeconds = Number(/health_timeout (\d+)s/.exec(read('ops/Caddyfile.cluster'))?.[1]);
    for (const { environment, stop_grace_period: grace = '' } of Object.values(nodes)) {
      const delaySeconds = Number(environment?.['STOP_DELAY_SECONDS']);
      expect(delaySeconds).toBeGreaterThan(checkSeconds + timeoutSeconds);
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(delaySeconds + STOP_MS / 1_000);
    }
  });

  it.skipIf(REDIS_MISSING !== null)('starts the shared store with settings that it understands', async () => {
    const [program, ...settings] = (valkey?.command ?? '').split(' ').map((word) => word.replaceAll('"', ''));
    expect(program).toBe('valkey-server');
    await using server = await startRedisServer({ settings });
    expect(server.url).toMatch(/^redis:/);
    expect(settings.join(' ')).toContain('--save  --appendonly no');
    expect(settings.join(' ')).toContain('--maxmemory-policy noeviction');
  });
});
