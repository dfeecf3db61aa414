import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../dist/server');
const chunks = new Map(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]),
);

const STATIC_IMPORT = /^(?:import|export) (?:[^;'"]*? from )?"\.\/([^"]+)";$/gm;
const importsOf = (name: string): string[] =>
  [...(chunks.get(name) ?? '').matchAll(STATIC_IMPORT)].map(([, path = '']) => path);

const FROM_OUTSIDE = /^import .*?"([^".][^"]*)";$|__require\("([^"]+)"\)/gm;

describe('dist/server', () => {
  it('no part waits for a program that waits for it', () => {
    const imported = [...chunks.keys()].flatMap(importsOf);
    expect(imported.length).toBeGreaterThan(chunks.size);
    expect(imported.filter((name) => /^(?:main|ops|entry-render)\.js$/.test(name))).toEqual([]);
  });

  it('needs no package but one of pg that is optional', () => {
    const asked = [...chunks.values()].flatMap((code) =>
      [...code.matchAll(FROM_OUTSIDE)].map(([, imported, required]) => imported ?? required ?? ''),
    );
    expect(asked).toContain('node:sqlite');
    expect(new Set(asked.filter((name) => !isBuiltin(name)))).toEqual(new Set(['pg-native']));
  });
});
