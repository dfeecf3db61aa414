import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const LINTER = join(ROOT, 'node_modules/oxlint/bin/oxlint');

type Verdict = 'allowed' | `refused by ${string}`;
type Sample = readonly [folder: string, code: string, verdict: Verdict];

const IMPORTS = 'refused by eslint(no-restricted-imports)';
const PROPERTIES = 'refused by eslint(no-restricted-properties)';
const GLOBALS = 'refused by eslint(no-restricted-globals)';
const PROCESS_ENV = 'refused by node(no-process-env)';

const use = (specifier: string): string => `import { part } from '${specifier}'; export const used = part;`;
const useType = (specifier: string): string =>
  `import type { Part } from '${specifier}'; export type Used = Part;`;

/** Each line is a file of its own, written into a copy of the project that holds nothing but its lint rules. */
const samples: readonly Sample[] = [
  ['src/shared', use('./snowflake.ts'), 'allowed'],
  ['src/shared', use('typebox'), 'allowed'],
  ['src/shared/contract', use('../snowflake.ts'), 'allowed'],
  ['src/shared', use('#server/config.ts'), IMPORTS],
  ['src/shared', use('../server/config.ts'), IMPORTS],
  ['src/shared', use('#web/app.tsx'), IMPORTS],
  ['src/shared', use('node:fs/promises'), IMPORTS],
  ['src/shared', use('fastify'), IMPORTS],
  ['src/shared', use('react-dom/server'), IMPORTS],

  ['src/sandbox', use('#shared/snowflake.ts'), 'allowed'],
  ['src/sandbox', use('node:http'), 'allowed'],
  ['src/sandbox/images', use('../seeded-draws.ts'), 'allowed'],
  ['src/sandbox', use('#server/system.ts'), IMPORTS],
  ['src/sandbox', use('../server/system.ts'), IMPORTS],
  ['src/sandbox/images', use('../../server/system.ts'), IMPORTS],
  ['src/sandbox', use('#web/app.tsx'), IMPORTS],
  ['src/sandbox', use('#test/support/test-app.ts'), IMPORTS],

  ['src/sandbox', use('../cli/command.ts'), IMPORTS],
  ['src/web', use('../cli/command.ts'), IMPORTS],
  ['src/web/features/lookup', use('../../../cli/command.ts'), IMPORTS],
  ['src/server', use('../cli/command.ts'), IMPORTS],
  ['src/server/tokens', use('../../cli/command.ts'), IMPORTS],
  ['src/shared', use('../cli/command.ts'), IMPORTS],

  ['src/cli', use('#server/open-records.ts'), 'allowed'],
  ['src/cli/commands', use('#server/tokens/key-rotation.ts'), 'allowed'],
  ['src/cli/commands', use('#shared/snowflake.ts'), 'allowed'],
  ['src/cli/commands', use('../output.ts'), 'allowed'],
  ['src/cli/commands', use('#server/http/client-ip.ts'), IMPORTS],
  ['src/cli', use('#server/app.ts'), IMPORTS],
  ['src/cli', use('#server/main.ts'), IMPORTS],
  ['src/cli', use('#server/platform.ts'), IMPORTS],
  ['src/cli', use('../server/open-records.ts'), IMPORTS],
  ['src/cli/commands', use('../../server/app.ts'), IMPORTS],
  ['src/cli', use('#sandbox/sandbox.ts'), IMPORTS],
  ['src/cli', use('#web/app.tsx'), IMPORTS],
  ['src/cli', use('#test/support/test-app.ts'), IMPORTS],
  ['src/cli/commands', `export const now = Date.now();`, PROPERTIES],
  ['src/cli/commands', `export const env = process.env;`, PROCESS_ENV],
  ['src/cli/main.ts', `export const env = process.env;`, 'allowed'],

  ['src/web', use('#shared/snowflake.ts'), 'allowed'],
  ['src/web', use('react-dom/server'), 'allowed'],
  ['src/web', useType('#shared/contract/profile.ts'), 'allowed'],
  ['src/web/routes', use('../features/lookup/use-lookup.ts'), 'allowed'],
  ['src/web', use('#shared/contract/profile.ts'), IMPORTS],
  ['src/web', use('../shared/contract/profile.ts'), IMPORTS],
  ['src/web', use('#server/config.ts'), IMPORTS],
  ['src/web/routes', use('../../server/config.ts'), IMPORTS],
  ['src/web', use('#sandbox/sandbox.ts'), IMPORTS],
  ['src/web', use('node:fs'), IMPORTS],
  ['src/web/features/lookup', use('./look-up.ts'), 'allowed'],
  ['src/web/features/lookup', use('../../ui/button.tsx'), 'allowed'],
  ['src/web/features/lookup', useType('#shared/contract/profile.ts'), 'allowed'],
  ['src/web/features/lookup', use('#shared/contract/profile.ts'), IMPORTS],
  ['src/web/features/lookup', use('#server/config.ts'), IMPORTS],
  ['src/web/features/lookup', use('../captcha/use-captcha.ts'), IMPORTS],
  ['src/web/features/captcha', use('../profile/profile-card.tsx'), IMPORTS],
  ['src/web/features/profile', use('#web/features/lookup/look-up.ts'), IMPORTS],
  ['src/web/features/profile', use('../../features/lookup/look-up.ts'), IMPORTS],
  ['src/web/features/yet-to-come', use('../lookup/look-up.ts'), IMPORTS],

  ['src/server', use('./lookup/fetch-user.ts'), 'allowed'],
  ['src/server', use('#shared/site.ts'), 'allowed'],
  ['src/server', use('./http/client-ip.ts'), IMPORTS],
  ['src/server', use('./app.ts'), IMPORTS],
  ['src/server', use('../web/app.tsx'), IMPORTS],
  ['src/server', use('#sandbox/sandbox.ts'), IMPORTS],
  ['src/server', use('#test/support/test-app.ts'), IMPORTS],
  ['src/server/app.ts', use('./http/public-server.ts'), 'allowed'],
  ['src/server/app.ts', use('#sandbox/sandbox.ts'), IMPORTS],
  ['src/server/main.ts', use('./app.ts'), 'allowed'],
  ['src/server/main.ts', use('#web/app.tsx'), IMPORTS],
  ['src/server/platform.ts', `export const load = () => import('#sandbox/sandbox.ts');`, 'allowed'],
  ['src/server/platform.ts', use('./http/client-ip.ts'), IMPORTS],
  ['src/server/platform.ts', use('#web/app.tsx'), IMPORTS],

  ...['captcha', 'visitors', 'discord', 'tokens', 'storage', 'observability', 'yet-to-come'].flatMap(
    (folder): Sample[] => [
      [`src/server/${folder}`, use('#server/system.ts'), 'allowed'],
      [`src/server/${folder}`, use('#server/app-error.ts'), 'allowed'],
      [`src/server/${folder}`, use('#server/storage/shared-state.ts'), 'allowed'],
      [`src/server/${folder}`, use('#server/observability/events.ts'), 'allowed'],
      [`src/server/${folder}`, use('#shared/snowflake.ts'), 'allowed'],
      [`src/server/${folder}`, use('./part.ts'), 'allowed'],
      [`src/server/${folder}`, use('#server/http/client-ip.ts'), IMPORTS],
      [`src/server/${folder}`, use('#server/lookup/fetch-user.ts'), IMPORTS],
      [`src/server/${folder}`, use('#server/config.ts'), IMPORTS],
      [`src/server/${folder}`, use('../system.ts'), IMPORTS],
      [`src/server/${folder}`, use('#sandbox/sandbox.ts'), IMPORTS],
      [`src/server/${folder}`, use('#web/app.tsx'), IMPORTS],
    ],
  ),
  ['src/server/tokens', use('#server/discord/discord-client.ts'), IMPORTS],
  ['src/server/discord', use('#server/tokens/token-pool.ts'), IMPORTS],
  ['src/server/captcha', `export * from '#server/config.ts';`, IMPORTS],
  ['src/server/captcha', `export const load = () => import('#server/config.ts');`, IMPORTS],
  ['src/server/captcha', useType('#server/config.ts'), IMPORTS],

  ['src/server/lookup', use('#server/discord/discord-client.ts'), 'allowed'],
  ['src/server/lookup', use('#server/tokens/token-pool.ts'), 'allowed'],
  ['src/server/lookup', use('#server/captcha/captcha.ts'), IMPORTS],
  ['src/server/lookup', use('#server/http/client-ip.ts'), IMPORTS],
  ['src/server/lookup', use('../tokens/token-pool.ts'), IMPORTS],

  ['src/server/http', use('#server/captcha/captcha.ts'), 'allowed'],
  ['src/server/http', use('#server/lookup/lookup.ts'), 'allowed'],
  ['src/server/http', use('./client-ip.ts'), 'allowed'],
  ['src/server/http', use('#server/discord/discord-client.ts'), IMPORTS],
  ['src/server/http', use('#server/app.ts'), IMPORTS],
  ['src/server/http', use('../app.ts'), IMPORTS],
  ['src/server/http/routes', use('../http-server.ts'), 'allowed'],
  ['src/server/http/routes', use('#server/visitors/visitor-limits.ts'), 'allowed'],
  ['src/server/http/routes', use('../../visitors/visitor-limits.ts'), IMPORTS],
  ['src/server/http/routes', use('#server/discord/discord-client.ts'), IMPORTS],

  ['src/server', 'export const nowMs = Date.now();', PROPERTIES],
  ['src/server/tokens', 'export const nowMs = performance.now();', PROPERTIES],
  ['src/server/tokens', 'export const chance = Math.random();', PROPERTIES],
  ['src/server/tokens', 'export const wait = () => setTimeout(() => {}, 1);', GLOBALS],
  ['src/server/discord', `export const get = () => fetch('https://example.org');`, GLOBALS],
  ['src/server/system.ts', 'export const nowMs = Date.now();', 'allowed'],
  ['src/server', `export const port = process.env['PORT'];`, PROCESS_ENV],
  ['src/server', use('node:process'), IMPORTS],
  ['src/server/main.ts', `export const port = process.env['PORT'];`, 'allowed'],

  ['src/web', 'export default 1;', 'refused by import(no-default-export)'],
  ['src/server', 'export default 1;', 'refused by import(no-default-export)'],
  ['src/web/features/lookup', `export * from './to-reexport.ts';`, 'refused by oxc(no-barrel-file)'],
  ['src/server/tokens/TokenPool.ts', 'export const pool = 1;', 'refused by unicorn(filename-case)'],
];

/** Several lines may name the same file, so each gets a project of its own: a folder with the lint rules in it. */
const pathOf = ([place]: Sample, line: number): string =>
  place.endsWith('.ts') ? `${line}/${place}` : `${line}/${place}/sample.ts`;

const writeSample = (root: string, sample: Sample, line: number): void => {
  const path = join(root, pathOf(sample, line));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${sample[1]}\n`);
  writeFileSync(join(dirname(path), 'to-reexport.ts'), 'export const one = 1;\n');
  copyFileSync(join(ROOT, '.oxlintrc.json'), join(root, String(line), '.oxlintrc.json'));
};

type Diagnostic = { readonly filename: string; readonly code: string };

const lintSamples = (): readonly Diagnostic[] => {
  const root = mkdtempSync(join(tmpdir(), 'whoflake-architecture-'));
  try {
    for (const [line, sample] of samples.entries()) writeSample(root, sample, line);
    const { stdout } = spawnSync(process.execPath, [LINTER, '--format', 'json'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

describe('the import rule, as lint', () => {
  const diagnostics = lintSamples();

  it.each(samples.map((sample, line) => ({ sample, line })))(
    '$sample.0: $sample.1 is $sample.2',
    ({ sample, line }) => {
      const path = pathOf(sample, line);
      const codes = diagnostics.filter(({ filename }) => filename === path).map(({ code }) => code);
      const verdicts = codes.length === 0 ? ['allowed'] : codes.map((code) => `refused by ${code}`);
      expect(verdicts).toContain(sample[2]);
    },
  );
});

const sourceFiles = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  .filter((path) => /\.(?:tsx?|css)$/.test(path));
const codeFiles = sourceFiles.filter((path) => !path.includes('.test.'));

const filesWith = (pattern: RegExp, folder: string): string[] =>
  codeFiles.filter((path) => path.startsWith(folder) && pattern.test(readFileSync(join(ROOT, path), 'utf8')));

describe('the sources', () => {
  it('are found', () => {
    expect(codeFiles).toContain('src/server/app.ts');
    expect(codeFiles.length).toBeGreaterThan(100);
  });

  it('have no index and no drawer for odds and ends', () => {
    const drawers = /(?:^|\/)(?:index|utils?|helpers?|common|misc|lib)(?:\/|\.tsx?$)/;
    expect('src/web/utils/text.ts').toMatch(drawers);
    expect(sourceFiles.filter((path) => drawers.test(path))).toEqual([]);
  });

  it('take the time from the system clock', () => {
    const pattern = /new Date\(\)|Date\(\)|process\.hrtime/;
    const readers = [...filesWith(pattern, 'src/server/'), ...filesWith(pattern, 'src/cli/')];
    expect(readers.filter((path) => !path.startsWith('src/server/observability/'))).toEqual([]);
  });

  it('put no HTML into a page as text, but for the settings that the server renders', () => {
    const raw = /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/;
    expect(filesWith(raw, 'src/web/')).toEqual(['src/web/entry-render.tsx']);
  });

  it('evaluate no text as code', () => {
    expect(filesWith(/\beval\(|new Function\(|node:vm/, 'src/')).toEqual([]);
  });

  it('fit on a few screens each', () => {
    const lines = (path: string): number => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1;
    expect(sourceFiles.filter((path) => lines(path) > 250)).toEqual([]);
  });

  it('are named in lower case with hyphens', () => {
    const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|module))?\.(?:tsx?|css)$/;
    expect(sourceFiles.filter((path) => !kebab.test(basename(path)))).toEqual([]);
  });
});
