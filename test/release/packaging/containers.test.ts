// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EXIT } from '#server/operator-error.ts';
import { START, startAppProcess } from '#test/support/app-process.ts';
import { usePostgres } from '#test/support/databases.ts';
import { freePort } from '#test/support/free-port.ts';
import { startOps } from '#test/support/ops-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createVisitors } from '#test/suites/load/visitors.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const ID = '441997505123577857';

describe('what the Dockerfile copies into the image', () => {
  const lastStage =
    read('Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? '';
  const allowed = read('.dockerignore').match(/(?<=^!)\S+/gm) ?? [];
  const wordsOf = (name: string): string[] =>
    JSON.parse(
      new RegExp(`^(?:HEALTHCHECK.*\\s+)?${name} (\\[.*)$`, 'm').exec(lastStage)?.[1] ?? '[]',
    ) as string[];
  const env = parseEnv((/^ENV (.*)$/m.exec(lastStage)?.[1] ?? '').replaceAll(' ', '\n')) as Record<
    string,
    string
  >;
  /** Rights do not bind root, so as root we step down to nobody. */
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

  const temporary = temporaryFolder();
  const at = (path: string): string => join(temporary.path, path);
  const options = { cwd: at('image'), ...user };
  const filesIn = (path: string): string[] =>
    readdirSync(at(path), { recursive: true, encoding: 'utf8' }).toSorted();
  const envAt = (port: number): Record<string, string> => ({
    ...env,
    HOST: '127.0.0.1',
    PORT: `${port}`,
    DATA_DIR: at('data/data'),
    KEYRING_FILE: at('data/keys/keyring.json'),
    POW_MAX_NUMBER: '1000',
  });

  beforeAll(() => {
    for (const [, from, source = '', target = ''] of lastStage.matchAll(
      /^COPY (--from=\S+ \S*\/)?(\S+) (\S+)$/gm,
    )) {
      if (from === undefined) expect(allowed).toContain(source);
      const to = target.endsWith('/') ? join(target, basename(source)) : target;
      cpSync(join(ROOT, source), at(join('image', to)), { recursive: true });
    }
    spawnSync('chmod', ['-R', 'a-w,a+rX', at('image')]);
    // A node that nobody can reach, wherever this clone lies.
    copyFileSync(process.execPath, at('node'));
    mkdirSync(at('data'));
    for (const folder of ['.', 'data']) chmodSync(at(folder), folder === '.' ? 0o755 : 0o777);
  });
  afterAll(() => {
    spawnSync('chmod', ['-R', 'u+w', at('image')]);
    temporary[Symbol.dispose]();
  });

  it('the image has what is built and what starts it, and nothing else: no sources, no packages', () => {
    expect(readdirSync(at('image')).toSorted()).toEqual(['bin', 'dist', 'package.json']);
    expect(lastStage).toMatch(/^USER node$/m);
  });

  it('the image has the operator’s commands, with --env-file for them and not for Node', () => {
    const ops = (words: readonly string[]) => {
      const args = [...wordsOf('ENTRYPOINT').slice(1), 'bin/ops', ...words];
      return spawnSync(at('node'), args, { ...options, env: envAt(0), encoding: 'utf8' });
    };
    const { status, stderr } = ops(['--env-file=/nowhere', 'status']);
    expect([status, stderr]).toEqual([
      78,
      expect.stringMatching(/^The settings in \/nowhere cannot be read/),
    ]);
    expect(ops(['status', '--json']).status).toBe(EXIT.databaseMissing);
    expect(lastStage).toMatch(/ln -s bin\/ops ops$/m);
  });

  it('the image serves as an ordinary user, from a read-only folder, and ends well when it is told to stop', async () => {
    const before = filesIn('image');
    const port = await freePort();
    const checkHealth = (): number | null =>
      spawnSync(at('node'), ['--', 'bin/ops', ...wordsOf('CMD').slice(1)], { ...options, env: envAt(port) })
        .status;
    const [, ...args] = [...wordsOf('ENTRYPOINT'), START.split(' ').at(-1) ?? ''];
    await using server = startAppProcess(envAt(port), { program: at('node'), args, ...options });
    const origin = await server.origin;
    // It would open the debugger, and say so.
    server.signal('SIGUSR1');
    expect(await (await fetch(origin)).text()).toContain('<h1');
    await using visitors = createVisitors(() => origin);
    const { status, body } = await visitors.next().ask('/lookup', { discord_id: ID });
    expect([status, body['username']]).toEqual([200, 'marlow.finch']);
    expect(checkHealth()).toBe(0);
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ exitCode: 0, stderr: '' });
    expect(checkHealth()).toBe(1);
    expect(filesIn('image')).toEqual(before);
    expect(filesIn('data')).toEqual(expect.arrayContaining(['data/whoflake.sqlite', 'keys/keyring.json']));
  });
});

type Container = {
  readonly command: readonly [string, ...string[]];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly mountPath: string }[];
} & Readonly<
  Record<`${'startup' | 'liveness' | 'readiness'}Probe`, { httpGet: Record<'path' | 'port', string> }>
>;
type Pod = { readonly initContainers: readonly [Container]; readonly containers: readonly [Container] };
type KubernetesObject = { readonly apiVersion: string; readonly kind: string; readonly spec: unknown };
type Models = Readonly<Record<string, new (object: object) => { validate: () => void }>>;
const SCHEMAS = join(ROOT, '.tools/schemas/node_modules/kubernetes-models');
type Deployment = { readonly spec: { readonly template: { readonly spec: Pod } } };

describe('a pod of deploy/kubernetes, without Kubernetes', () => {
  const postgres = usePostgres();
  const { spec } = (parse(read('deploy/kubernetes/deployment.yaml')) as Deployment).spec.template;
  const [[init], [server]] = [spec.initContainers, spec.containers];

  it('a pod starts with the files and settings of deploy/kubernetes, and answers its probes', async () => {
    using folder = temporaryFolder();
    const at = (path: string): string => (path.startsWith('/') ? join(folder.path, path) : path);
    for (const { mountPath } of [...init.volumeMounts, ...server.volumeMounts]) {
      mkdirSync(at(mountPath), { recursive: true });
      // As Kubernetes makes them.
      chmodSync(at(mountPath), 0o777);
    }
    const [database, ring] = [await (await postgres()).newDatabase(), at('/run/keyring/keyring.json')];
    const operator = { DATABASE_URL: database, KEYRING_FILE: ring, DATA_DIR: folder.path };
    expect(await startOps(['init'], { env: operator }).ended).toMatchObject({ exitCode: 0 });
    // As files of a Secret are.
    writeFileSync(at('/run/secrets/whoflake/database-url'), database, { mode: 0o644 });
    writeFileSync(at('/run/secrets/whoflake/bot-tokens'), '', { mode: 0o644 });
    chmodSync(ring, 0o644);
    const [program, ...args] = init.command;
    execFileSync(program, args.map(at));
    const ports = { PORT: `${await freePort()}`, ADMIN_PORT: `${await freePort()}` };
    await using app = startAppProcess({
      ...(parseEnv(read('deploy/kubernetes/settings.env')) as Record<string, string>),
      ...Object.fromEntries(server.env.map(({ name, value = '' }) => [name, at(value)])),
      // Its own address, as Kubernetes fills it in; and no stranger is asked about anything here.
      ...ports,
      HOST: '127.0.0.1',
      ADMIN_HOST: '127.0.0.1',
      PLATFORM: 'sandbox',
    });
    await app.origin;
    for (const { httpGet } of [server.startupProbe, server.livenessProbe, server.readinessProbe]) {
      const port = httpGet.port === 'http' ? ports.PORT : ports.ADMIN_PORT;
      expect((await fetch(`http://127.0.0.1:${port}${httpGet.path}`)).status).toBe(200);
    }
  });

  it.skipIf(!existsSync(SCHEMAS))('every file of deploy/kubernetes fits the schema of its kind', async () => {
    const files = readdirSync(join(ROOT, 'deploy/kubernetes')).filter((name) => name.endsWith('.yaml'));
    const objects = files.map(
      (name) => parse(read(`deploy/kubernetes/${name}`), { merge: true }) as KubernetesObject,
    );
    const ours = objects.filter(({ kind }) => kind !== 'Kustomization');
    expect(ours.map(({ kind }) => kind).toSorted()).toEqual([
      'Deployment',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ]);
    const validate = async (object: KubernetesObject): Promise<void> => {
      const models = (await import(join(SCHEMAS, `${object.apiVersion}/index.js`))) as { default: Models };
      const Model = models.default[object.kind];
      if (Model === undefined) throw new Error(object.kind);
      new Model(object).validate();
    };
    for (const object of ours) await validate(object);
    for (const object of ours) await expect(validate({ ...object, spec: 'x' })).rejects.toThrow('spec');
  });
});
