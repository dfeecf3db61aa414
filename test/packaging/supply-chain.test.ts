import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The images that a Dockerfile begins with and that are not pinned; a name of its own stage is none. */
const unpinned = (dockerfile: string): string[] => {
  const stages = new Set<string>();
  return [...dockerfile.matchAll(/^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/gim)].flatMap(
    ([, image = '', stage]) => {
      const isPinned = /@sha256:[\da-f]{64}$/.test(image) || stages.has(image) || image === 'scratch';
      if (stage !== undefined) stages.add(stage);
      return isPinned ? [] : [image];
    },
  );
};

describe('the image', () => {
  it('is made from images that cannot become others', () => {
    expect(unpinned(read('Dockerfile'))).toEqual([]);
    for (const [dockerfile, found] of [
      ['FROM node:24-slim AS base\nFROM base', ['node:24-slim']],
      ['FROM --platform=linux/amd64 node', ['node']],
      [`from node@sha256:${'0'.repeat(63)}`, [`node@sha256:${'0'.repeat(63)}`]],
      ['FROM ${BASE}', ['${BASE}']],
    ] as const)
      expect(unpinned(dockerfile)).toEqual(found);
  });

  it('runs no script of a package', () => {
    const installs = [...read('Dockerfile').matchAll(/\bnpm (?:ci|install|i)\b.*/g)].map(
      ([command]) => command,
    );
    expect(installs).toEqual(['npm ci --ignore-scripts']);
  });
});

describe('the lock file', () => {
  it('has a hash of everything, and nothing from elsewhere than the registry', () => {
    type Entry = { readonly integrity?: string; readonly resolved?: string; readonly link?: boolean };
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
    const names = Object.keys(packages).filter((name) => name !== '');
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) {
      expect(packages[name]?.integrity, name).toMatch(/^sha512-/);
      expect(packages[name]?.resolved, name).toBeUndefined();
    }
  });

  it('of the same packages with one changed byte fails the installation', { tags: ['slow'] }, async () => {
    expect(await installFrom(TARBALL)).toMatchObject({ exitCode: 0 });
    const changed = Buffer.from(TARBALL);
    changed[4] = (changed[4] ?? 0) ^ 1;
    expect(await installFrom(changed)).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining('EINTEGRITY'),
    });
  });
});

/** A package in a tarball: one file, in the format of ustar. */
const TARBALL = (() => {
  const content = Buffer.from('{"name":"small","version":"1.0.0"}');
  const header = Buffer.alloc(512);
  header.write('package/package.json', 0);
  for (const [at, value] of [
    [100, '0000644'],
    [108, '0000000'],
    [116, '0000000'],
    [136, '00000000000'],
  ] as const)
    header.write(value, at);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return gzipSync(Buffer.concat([header, content, Buffer.alloc(512 - content.length + 1_024)]));
})();

const integrity = `sha512-${createHash('sha512').update(TARBALL).digest('base64')}`;

/** `npm ci` with our settings, from a registry on this machine that has this tarball. */
const installFrom = async (tarball: Buffer) => {
  using folder = temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  const registry = createServer((request, response) => {
    const url = `http://${request.headers.host}`;
    const dist = { tarball: `${url}/small/-/small-1.0.0.tgz`, integrity };
    const versions = { '1.0.0': { name: 'small', version: '1.0.0', dist } };
    if (request.url?.endsWith('.tgz')) response.end(tarball);
    else response.end(JSON.stringify({ name: 'small', 'dist-tags': { latest: '1.0.0' }, versions }));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const root = { name: 'site', version: '1.0.0', dependencies: { small: '1.0.0' } };
  const packages = { '': root, 'node_modules/small': { version: '1.0.0', integrity } };
  copyFileSync(join(ROOT, '.npmrc'), at('.npmrc'));
  writeFileSync(at('package.json'), JSON.stringify(root));
  writeFileSync(
    at('package-lock.json'),
    JSON.stringify({ ...root, lockfileVersion: 3, requires: true, packages }),
  );
  const { port } = registry.address() as AddressInfo;
  const child = spawn(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', `--registry=http://127.0.0.1:${port}`],
    {
      cwd: folder.path,
      env: {
        PATH: process.env['PATH'],
        HOME: folder.path,
        npm_config_cache: at('cache'),
        npm_config_fetch_retries: '0',
        npm_config_update_notifier: 'false',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [out, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  registry.close();
  registry.closeAllConnections();
  return { exitCode: exitCode as number, said: out + errors };
};
