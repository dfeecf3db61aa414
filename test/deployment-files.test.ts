import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '#package.json' with { type: 'json' };
import { parseConfig, settingNames } from '#server/config.ts';
import { STOP_MS, stopDelayMs } from '#server/deadlines.ts';
import { EXIT } from '#server/operator-error.ts';
import { START } from '#test/support/app-process.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

type Settings = Readonly<Record<string, string>>;
type Service = {
  readonly image: string;
  readonly environment?: Settings;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly stop_grace_period?: string;
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, object | null>>;
};

const NOTHING: Service = { image: '' };
const readCompose = (name: string) => {
  const compose = parse(read(name), { merge: true }) as Compose;
  const services = Object.values(compose.services);
  return { ...compose, all: services, nodes: services.filter(({ image }) => image.includes('/whoflake:')) };
};
const networksOf = ({ networks = [] }: Service): readonly string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);
const addressIn = ({ networks }: Service, network: string): string | undefined =>
  (networks as Record<string, { ipv4_address?: string }>)[network]?.ipv4_address;

type Probe = { readonly httpGet: { readonly path: string; readonly port: string } };
type Container = {
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe & { readonly periodSeconds: number; readonly failureThreshold: number };
};
type Pod = {
  readonly terminationGracePeriodSeconds: number;
  readonly initContainers: readonly [Container];
  readonly containers: readonly [Container];
  readonly volumes: readonly object[];
};
const loadKubernetes = (name: string) => parse(read(`deploy/kubernetes/${name}.yaml`)) as { spec: unknown };
const deployment = loadKubernetes('deployment').spec as {
  selector: { matchLabels: Settings };
  template: { metadata: { labels: Settings }; spec: Pod };
};
const pod = deployment.template.spec;
const [container] = pod.containers;
const podSettings: Settings = {
  ...(parseEnv(read('deploy/kubernetes/settings.env')) as Settings),
  ...Object.fromEntries(
    container.env.map(({ name, value = name === 'ADMIN_HOST' ? '10.1.2.3' : '' }) => [name, value]),
  ),
};

const small = readCompose('compose.yaml');
const cluster = readCompose('compose.cluster.yaml');
const quadlet = read('deploy/whoflake.container');
const quadletSettings = parseEnv(
  [...quadlet.matchAll(/^Environment=(.*)$/gm)].map(([, line]) => line).join('\n'),
) as Settings;
/** With all that it offers. */
const example = parseEnv(read('ops/whoflake.env.example').replaceAll(/^#(?=[A-Z])/gm, '')) as Settings;
const unit = read('ops/whoflake.service');
const unitValue = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

describe('settings', () => {
  it.each([
    ['ops/whoflake.env.example', example],
    ['compose.yaml', small.services['whoflake']?.environment ?? {}],
    ['deploy/whoflake.container', quadletSettings],
    ...cluster.nodes.map(
      ({ environment }) => [`a compose file (${environment?.['ADMIN_HOST']})`, environment ?? {}] as const,
    ),
    ['deploy/kubernetes', podSettings],
  ] satisfies readonly (readonly [string, Settings])[])(
    'the settings in %s are known, and the server starts with them',
    (_file, settings) => {
      expect(Object.keys(settings).filter((name) => !settingNames().includes(name))).toEqual([]);
      const readFile = (path: string) => (path.endsWith('database-url') ? 'postgres://a:b@db/c' : '');
      const text = Object.entries<string | number>({ ...example, ...settings }).map(([name, value]) => [
        name,
        `${value}`,
      ]);
      expect(parseConfig(Object.fromEntries(text), readFile)).toMatchObject({ ok: true });
      expect(Object.keys(settings).length).toBeGreaterThan(4);
    },
  );

  it('the unit lets the server write where the example of its settings says', () => {
    const [data, keys, backups] = unitValue('StateDirectory')
      .split(' ')
      .map((name) => `/var/lib/${name}`);
    expect(example).toMatchObject({
      DATA_DIR: data,
      KEYRING_FILE: `${keys}/keyring.json`,
      BACKUP_DIR: backups,
    });
  });
});

describe('ports and addresses', () => {
  it('compose.yaml and the Quadlet file say the same, let the server write nowhere but to its data, and fix a version', () => {
    const { whoflake = NOTHING } = small.services;
    expect(whoflake).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: '512m',
      ports: ['127.0.0.1:8080:8080'],
    });
    expect(whoflake.image).toMatch(/:\d/);
    const valuesOf = (name: string): string[] =>
      [...quadlet.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
    expect(valuesOf('Image')).toEqual([whoflake.image]);
    expect(valuesOf('PublishPort')).toEqual(whoflake.ports);
    expect({ NOTIFY_URL: '', ...quadletSettings, TRUSTED_PROXIES: '' }).toEqual({
      ...whoflake.environment,
      TRUSTED_PROXIES: '',
    });
    expect(quadlet).toMatch(
      /^ReadOnly=true\nDropCapability=ALL\nNoNewPrivileges=true\nPodmanArgs=--memory=512m$/m,
    );
  });

  it('compose.cluster.yaml publishes Caddy only, which the nodes trust, and nobody else', () => {
    const { caddy = NOTHING } = cluster.services;
    for (const { environment } of cluster.nodes)
      expect(environment?.['TRUSTED_PROXIES']).toBe(`${addressIn(caddy, 'front')}/32`);
    const published = cluster.all.filter(({ ports }) => ports !== undefined);
    expect(published).toEqual([caddy]);
    const mounted = cluster.all
      .flatMap(({ volumes = [] }) => volumes)
      .filter((name) => name.startsWith('./'));
    expect(mounted.filter((name) => !existsSync(join(ROOT, name.split(':')[0] ?? '')))).toEqual([]);
  });

  it('Caddy of compose.cluster.yaml asks each node where it listens, and PostgreSQL is for the nodes alone', () => {
    const { caddy = NOTHING, postgres = NOTHING } = cluster.services;
    expect(postgres.environment).not.toHaveProperty('POSTGRES_USER');
    expect(caddy.environment?.['NODES']).toBe(
      cluster.nodes.map((node) => `${addressIn(node, 'front')}:${node.environment?.['PORT']}`).join(' '),
    );
    expect(caddy.volumes).toContain('./ops/Caddyfile.cluster:/etc/caddy/Caddyfile:ro');
    for (const node of cluster.nodes) expect(node.environment?.['ADMIN_HOST']).toBe(addressIn(node, 'front'));
    expect(cluster.networks['back']).toEqual({ internal: true });
    expect([networksOf(postgres), networksOf(caddy)]).toEqual([['back'], ['front']]);
    const volumes = cluster.nodes.map((node) => node.volumes ?? []);
    expect(new Set(volumes.map(([, keys]) => keys))).toEqual(new Set(['keys:/keys']));
    expect(new Set(volumes.map(([data]) => data)).size).toBe(volumes.length);
  });

  it('Kubernetes asks for health where the server listens, and leads visitors to the public port only', () => {
    const portOf = ({ httpGet }: Probe) =>
      container.ports.find(({ name }) => name === httpGet.port)?.containerPort;
    expect(`${portOf(container.readinessProbe)}`).toBe(podSettings['ADMIN_PORT']);
    for (const probe of [container.startupProbe, container.livenessProbe])
      expect([`${portOf(probe)}`, probe.httpGet.path]).toEqual([podSettings['PORT'], '/healthz']);
    const service = loadKubernetes('service').spec as { selector: Settings; ports: object[] };
    const budget = loadKubernetes('disruption-budget').spec as { selector: { matchLabels: Settings } };
    for (const chosen of [deployment.selector.matchLabels, service.selector, budget.selector.matchLabels])
      expect(chosen).toEqual(deployment.template.metadata.labels);
    expect(service.ports).toMatchObject([{ targetPort: 'http' }]);
    const policy = loadKubernetes('network-policy').spec as { ingress: { ports: object[]; from?: object }[] };
    expect(policy.ingress.map(({ ports, from }) => [ports, from !== undefined])).toEqual([
      [[{ port: 'http' }], false],
      [[{ port: 'admin' }], true],
    ]);
    expect(read('deploy/kubernetes/kustomization.yaml')).toMatch(/newTag: \d+\.\d+\.\d+$/m);
    const job = loadKubernetes('keys-job').spec as typeof deployment;
    expect(job.template.spec.volumes.at(-1)).toEqual(pod.volumes.at(-1));
    expect(pod.initContainers[0].command.at(-1)).toBe(podSettings['KEYRING_FILE']);
  });
});

describe('a stop', () => {
  const [, interval, timeout] =
    /health_interval (\d+)s\s+health_timeout (\d+)s/.exec(read('ops/Caddyfile.cluster')) ?? [];
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  it.each([
    ['the unit', unitValue('TimeoutStopSec'), 0],
    ['the Quadlet file', /TimeoutStopSec=(\d+)/.exec(quadlet)?.[1], 0],
    ...cluster.nodes.map(
      (n) => ['compose.cluster.yaml', n.stop_grace_period, Number(interval) + Number(timeout)] as const,
    ),
    ['Kubernetes', pod.terminationGracePeriodSeconds, periodSeconds * failureThreshold],
  ] as const)('%s lets the server answer what is under way', (_who, grace, noticedSeconds) => {
    const delaySeconds = stopDelayMs({ databaseUrl: noticedSeconds === 0 ? null : 'url' }) / 1_000;
    expect(Number.parseInt(`${grace}`, 10)).toBeGreaterThan(delaySeconds + STOP_MS / 1_000);
    if (noticedSeconds !== 0) expect(delaySeconds).toBeGreaterThan(noticedSeconds);
  });
});

describe('what is started', () => {
  it('the unit and the image start the server with the options that npm start has', () => {
    expect(unitValue('ExecStart')).toBe(`/opt/whoflake/current/bin/${START}`);
    const words = (name: string) =>
      JSON.parse(new RegExp(`^${name} (.*)$`, 'm').exec(read('Dockerfile'))?.[1] ?? '[]') as string[];
    const started = [...words('ENTRYPOINT'), ...words('CMD')].filter((word) => word !== '--');
    expect(started.join(' ')).toBe(START);
  });

  it('the unit starts programs that there are, with the settings that ops reads', () => {
    const files = [...unit.matchAll(/^Exec\w+=-?\S+\/bin\/node (?:--\S+ )*(\S+)/gm)].map(
      ([, file = '']) => file,
    );
    expect(files).toEqual(['bin/ops', 'bin/whoflake']);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(unit).toContain('Environment=WHOFLAKE_ENV_FILE=/etc/whoflake/whoflake.env\n');
    expect(unit).not.toContain('EnvironmentFile=');
  });

  it('the unit does not start again what another start would not fix', () => {
    const NODE_KNOWS_NO_SUCH_OPTION = 9;
    const fixable = new Set(['done', 'failed', 'badInput', 'databaseUnreachable']);
    const unfixable = Object.entries(EXIT).filter(([name]) => !fixable.has(name));
    expect(unitValue('RestartPreventExitStatus').split(' ').map(Number)).toEqual([
      NODE_KNOWS_NO_SUCH_OPTION,
      ...unfixable.map(([, code]) => code).toSorted((a, b) => a - b),
    ]);
  });

  it('ops/Caddyfile.cluster says what ops/Caddyfile says, but for the nodes', () => {
    const linesOf = (name: string): string[] =>
      read(`ops/${name}`)
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#'));
    const lines = new Set(linesOf('Caddyfile.cluster'));
    expect(linesOf('Caddyfile').filter((line) => !lines.has(line))).toEqual([
      'reverse_proxy {$UPSTREAM:127.0.0.1:8080} {',
      'lb_try_duration 10s',
      'lb_try_interval 200ms',
    ]);
  });
});

describe('what is trusted', () => {
  it('the image is made from images that are named by their digest, and runs no script of a package', () => {
    const stages = new Set<string>();
    const lines = [...read('Dockerfile').matchAll(/^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/gim)];
    for (const [, image = '', stage = ''] of lines) {
      if (!stages.has(image)) expect(image).toMatch(/@sha256:[\da-f]{64}$/);
      stages.add(stage);
    }
    expect(lines.length).toBeGreaterThan(1);
    const installs = read('Dockerfile').match(/\bnpm (?:ci|install|i)\b.*/g);
    expect(installs).toEqual(['npm ci --ignore-scripts']);
  });

  it('the lock file has a hash of every package, and nothing from elsewhere than the registry', () => {
    type Entry = { readonly integrity?: string; readonly resolved?: string };
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
    const entries = Object.entries(packages).filter(([name]) => name !== '');
    expect(entries.length).toBeGreaterThan(100);
    for (const [name, { integrity, resolved }] of entries) {
      expect(integrity, name).toMatch(/^sha512-/);
      expect(resolved, name).toBeUndefined();
    }
  });

  it('every file names the repository as package.json does', () => {
    const repository = manifest.repository.replace('github:', '');
    const files = ['compose.yaml', 'compose.cluster.yaml', 'README.md', 'docs/operations.md']
      .concat(
        'deploy/kubernetes/deployment.yaml',
        'deploy/kubernetes/keys-job.yaml',
        'deploy/whoflake.container',
        '.github/dependabot.yml',
        '.github/ISSUE_TEMPLATE/config.yml',
      )
      .map(read)
      .join('\n');
    const named = [...files.matchAll(/(?:ghcr\.io|\/\/github\.com)\/(whoflake\/[\w.-]+)/g)];
    expect(new Set(named.map(([, name]) => name))).toEqual(new Set([repository]));
  });
});
