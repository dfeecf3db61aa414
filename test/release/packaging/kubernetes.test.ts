// @module-tag slow
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig, settingNames } from '#server/config.ts';
import { STOP_MS } from '#server/deadlines.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { usePostgres } from '#test/support/databases.ts';
import { freePort } from '#test/support/free-port.ts';
import { startOps } from '#test/support/ops-process.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

type Probe = { httpGet: { path: string; port: string } };
type Container = {
  image: string;
  command?: string[];
  env: { name: string; value?: string }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe & { periodSeconds: number; failureThreshold: number };
  volumeMounts: { name: string; mountPath: string }[];
};
type Labels = Readonly<Record<string, string>>;
type Pod = {
  terminationGracePeriodSeconds: number;
  initContainers: Container[];
  containers: Container[];
  volumes: { name: string; secret?: { items: { key: string }[] } }[];
};
type Deployment = {
  replicas: number;
  selector: { matchLabels: Labels };
  strategy: { rollingUpdate: object };
  template: { metadata: { labels: Labels }; spec: Pod };
};
type Kustomization = { resources: string[]; images: { name: string }[]; configMapGenerator: object[] };
type Service = { selector: Labels; ports: { targetPort: string }[] };
type DisruptionBudget = { minAvailable: number; selector: { matchLabels: Labels } };

const FOLDER = join(import.meta.dirname, '../../../deploy/kubernetes');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const load = (name: string): unknown => parse(read(name));

const kustomization = load('kustomization.yaml') as Kustomization;
const { spec: deployment } = load('deployment.yaml') as { spec: Deployment };
const { spec: pod } = deployment.template;
const [server = {} as Container] = pod.containers;
const [init = {} as Container] = pod.initContainers;
const settings = parseEnv(read('settings.env')) as Record<string, string>;
const env = Object.fromEntries(server.env.map(({ name, value = '' }) => [name, value]));
const portOf = (probe: Probe): number | undefined =>
  server.ports.find(({ name }) => name === probe.httpGet.port)?.containerPort;

describe('deploy/kubernetes', () => {
  it('has each of its files in the list, and one image', () => {
    const kinds = kustomization.resources.map((file) => (load(file) as { kind: string }).kind);
    expect(kinds).toEqual(['Deployment', 'Service', 'PodDisruptionBudget']);
    expect(kustomization.configMapGenerator).toEqual([{ name: 'whoflake', envs: ['settings.env'] }]);
    for (const { image } of [init, server]) expect(image).toBe(kustomization.images[0]?.name);
  });

  it('chooses the same pods everywhere, and leads to the public port only', () => {
    const { spec: service } = load('service.yaml') as { spec: Service };
    const { spec: budget } = load('disruption-budget.yaml') as { spec: DisruptionBudget };
    const { labels } = deployment.template.metadata;
    for (const chosen of [deployment.selector.matchLabels, service.selector, budget.selector.matchLabels])
      expect(chosen).toEqual(labels);
    expect(service.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
    expect(budget.minAvailable).toBeLessThan(deployment.replicas);
    expect(deployment.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  });

  it('sets what the server knows, and nothing that it refuses', () => {
    const all = { ...settings, ...env, ADMIN_HOST: '10.1.2.3' };
    expect(Object.keys(all).filter((name) => !settingNames().includes(name))).toEqual([]);
    const files: Record<string, string> = { [env['DATABASE_URL_FILE'] ?? '']: 'postgres://a:b@db/c' };
    expect(parseConfig(all, (path) => files[path] ?? '')).toMatchObject({ ok: true });
  });

  it('mounts what there is, and takes from the Secret what its first lines put there', () => {
    const names = new Set(pod.volumes.map(({ name }) => name));
    for (const { volumeMounts } of [init, server])
      expect(volumeMounts.filter(({ name }) => !names.has(name))).toEqual([]);
    const keys = pod.volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []);
    expect(keys.toSorted()).toEqual(['bot-tokens', 'database-url', 'keyring.json']);
    for (const key of keys) expect(read('kustomization.yaml')).toContain(`/${key}`);
    expect(init.command?.at(-1)).toBe(env['KEYRING_FILE']);
  });

  it('asks for health where the server listens, and stops it after everybody knows', () => {
    expect(portOf(server.readinessProbe)).toBe(Number(env['ADMIN_PORT']));
    for (const probe of [server.startupProbe, server.livenessProbe])
      expect([portOf(probe), probe.httpGet.path]).toEqual([Number(env['PORT']), '/healthz']);
    const { periodSeconds, failureThreshold } = server.readinessProbe;
    const delaySeconds = Number(env['STOP_DELAY_SECONDS']);
    expect(delaySeconds).toBeGreaterThan(periodSeconds * failureThreshold);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(delaySeconds + STOP_MS / 1_000);
  });
});

describe.skipIf(POSTGRES_MISSING !== null)('a pod of deploy/kubernetes, without Kubernetes', () => {
  const postgres = usePostgres();

  it('starts with its files and settings, and answers its probes', async () => {
    using folder = temporaryFolder();
    const at = (path: string): string => join(folder.path, path);
    const moved = (text: string): string => (text.startsWith('/') ? at(text) : text);
    for (const { mountPath } of [...init.volumeMounts, ...server.volumeMounts])
      mkdirSync(at(mountPath), { recursive: true });
    const [database, ring] = [await (await postgres()).newDatabase(), at('/run/keyring/keyring.json')];
    const operator = { DATABASE_URL: database, KEYRING_FILE: ring, DATA_DIR: at('/data') };
    expect(await startOps(['init'], { env: operator }).ended).toMatchObject({ exitCode: 0 });
    // As files of a Secret are.
    writeFileSync(at('/run/secrets/whoflake/database-url'), database, { mode: 0o644 });
    writeFileSync(at('/run/secrets/whoflake/bot-tokens'), '', { mode: 0o644 });
    chmodSync(ring, 0o644);
    const [program = '', ...args] = init.command ?? [];
    execFileSync(program, args.map(moved));
    const ports = { PORT: `${await freePort()}`, ADMIN_PORT: `${await freePort()}` };
    await using app = startAppProcess({
      ...settings,
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, moved(value)])),
      // Its own address, as Kubernetes fills it in; and no stranger is asked about anything here.
      ...ports,
      HOST: '127.0.0.1',
      ADMIN_HOST: '127.0.0.1',
      PLATFORM: 'sandbox',
      SANDBOX_PORT: '0',
      STOP_DELAY_SECONDS: '0',
    });
    await app.origin;
    for (const probe of [server.startupProbe, server.livenessProbe, server.readinessProbe]) {
      const port = portOf(probe) === Number(env['PORT']) ? ports.PORT : ports.ADMIN_PORT;
      expect((await fetch(`http://127.0.0.1:${port}${probe.httpGet.path}`)).status).toBe(200);
    }
  });
});
