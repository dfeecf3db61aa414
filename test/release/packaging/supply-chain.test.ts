import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
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

it('the lock file has a hash of everything, and nothing from elsewhere than the registry', () => {
  type Entry = { readonly integrity?: string; readonly resolved?: string; readonly link?: boolean };
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
  const names = Object.keys(packages).filter((name) => name !== '');
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) {
    expect(packages[name]?.integrity, name).toMatch(/^sha512-/);
    expect(packages[name]?.resolved, name).toBeUndefined();
  }
});
