import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';

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

/** Something that stands in each, and nowhere else. */
const WAITS = {
  pg: 'SASL: Only mechanism',
  sandbox: 'createSandbox = ',
};

const SETTINGS = {
  PLATFORM: 'discord',
  DISCORD_API_URL: 'http://127.0.0.1:9',
  DISCORD_CDN_URL: 'http://127.0.0.1:9',
  CONTACT_EMAIL: 'hello@example.org',
  PAYMENT_URL: 'https://example.org/',
};
const TELL_LOADED =
  "import { registerHooks } from 'node:module'; registerHooks({ load: (url, context, next) => { console.error(url); return next(url, context); } });";

describe('dist/server', () => {
  it('the server loads what it waits with only when its settings ask for it', async () => {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(TELL_LOADED)}`;
    await using server = startAppProcess({ ...SETTINGS, NODE_OPTIONS });
    await vi.waitFor(() => expect(server.output()).toContain('"event":"listening"'), EVENTUALLY);
    expect(server.output()).toContain('/dist/server/main.js');
    for (const sign of Object.values(WAITS)) {
      const holders = [...chunks].filter(([, code]) => code.includes(sign)).map(([name]) => name);
      expect(holders).toHaveLength(1);
      expect(server.output()).not.toContain(`/${holders[0]}`);
    }
  });

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
