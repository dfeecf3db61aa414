import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

const expandBraces = (name: string): string[] => name.replace(/^\{|\}$/g, '').split(',');

/** The paths in the page's tree: four columns for each level, then the name. */
const drawnPaths = (): string[] => {
  const open: string[] = [];
  return page.split('\n').flatMap((line) => {
    const [, indent, names] = /^((?:│   |    )*)[├└]── (\S+?)\/?(?: |$)/.exec(line) ?? [];
    if (indent === undefined || names === undefined) return [];
    open.splice(indent.length / 4, Infinity, names);
    return expandBraces(names).map((name) => [...open.slice(0, -1), name].join('/'));
  });
};

const realPaths = (): string[] =>
  readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name).slice(`${ROOT}/src/`.length) }))
    .filter(({ entry, path }) => entry.isDirectory() || /^server\/[^/.]+\.ts$/.test(path))
    .map(({ path }) => path);

describe('docs/architecture.md', () => {
  it("has every folder in its tree, and the server's own files", () => {
    expect(drawnPaths().toSorted()).toEqual(realPaths().toSorted());
  });

  it('names files that there are on the path of a lookup', () => {
    const [, path = ''] = /\n## The path of a lookup\n(.*?)\n## /s.exec(page) ?? [];
    const files = [...path.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(15);
    const isThere = (file: string): boolean =>
      existsSync(join(ROOT, 'src/server', file)) || existsSync(join(ROOT, 'src', file));
    expect(files.filter((file) => !isThere(file))).toEqual([]);
  });
});
