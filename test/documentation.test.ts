import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SAMPLE_USERS } from '#sandbox/profiles/sample-profiles.ts';
import { settingNames } from '#server/config.ts';
import { EXIT } from '#server/operator-error.ts';
import { configOf } from '#test/support/well-formed.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const rows = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)`\s+\| ([^|]*?)\s+\|/gm)].map(
  ([, name = '', fallback = '']) => ({ name, fallback }),
);

describe('docs/configuration.md', () => {
  it('names every setting, and none that does not exist', () => {
    const secrets = new Set(['BOT_TOKENS', 'DATABASE_URL', 'NOTIFY_URL']);
    const names = rows.flatMap(({ name }) => (secrets.has(name) ? [name, `${name}_FILE`] : [name]));
    expect(names.toSorted()).toEqual(settingNames().toSorted());
  });

  const literal = rows.filter(({ fallback }) => fallback.startsWith('`'));
  it('gives most defaults word for word', () => expect(literal.length).toBeGreaterThan(12));

  it.each(literal)('§220, 223 tells the default of $name', ({ name, fallback }) => {
    expect(configOf({ [name]: fallback.slice(1, -1) })).toEqual(configOf({}));
  });
});

describe('SECURITY.md', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const promises = read('SECURITY.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').slice(1, 4));

  it('SECURITY.md has a table of promises', () => expect(promises.length).toBeGreaterThan(25));

  it.each(promises)('SECURITY.md names tests that exist for:%s', (_promise, _done, shownBy = '') => {
    const named = [...shownBy.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    expect(named).not.toEqual([]);
    for (const name of named) {
      const script = /^npm run (\w+)$/.exec(name)?.[1];
      if (script === undefined) expect(globSync(name, { cwd: ROOT }), name).not.toEqual([]);
      else expect(Object.keys(scripts)).toContain(script);
    }
  });
});

describe('docs/operations.md', () => {
  const runbook = read('docs/operations.md');

  it('says of every exit code what it means', () => {
    const codes = [...runbook.matchAll(/^- (\d+): \S/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });
});

describe('docs/add-a-field.md', () => {
  it.each([
    ['src/server/platform/wire/discord-objects.ts', 'parseDiscordUser'],
    ['src/shared/contract/profile.ts', 'ProfileSchema'],
    ['src/server/lookup/to-profile.ts', 'toColor'],
    ['src/texts/en.json', 'bannerColor'],
    ['src/web/read-profile.ts', 'listOf'],
    ['src/web/features/profile/profile-details.tsx', 'useRows'],
    ['src/server/lookup/to-profile.test.ts', 'profileOf'],
    ['test/browser/lookup/card.spec.ts', 'FIELDS'],
    ['test/support/profile.ts', 'PROFILE'],
  ])('leads to %s, where %s still is', (file, name) => {
    const page = read('docs/add-a-field.md');
    expect(page).toContain(`\`${file}\``);
    expect(page).toContain(name);
    expect(read(file)).toContain(name);
  });

  it('quotes lines that are in the sources', () => {
    const sources = globSync('{src,test}/**/*.{ts,json}', { cwd: ROOT }).map(read).join('\n');
    const quoted = [...read('docs/add-a-field.md').matchAll(/^```(?:ts|json)\n(.*)\n```/gm)].map(
      ([, line]) => line,
    );
    expect(quoted.length).toBeGreaterThan(5);
    for (const line of quoted) expect(sources).toContain(line);
  });

  it('names a sample profile that has the field', () => {
    const [, id = ''] = /“Every flag”, (\d+)\./.exec(read('docs/add-a-field.md')) ?? [];
    expect(SAMPLE_USERS.get(id)).toHaveProperty('vad_colors');
  });
});

it('docs/log-events.md has a line for every event in the log, below its level, and for no other', () => {
  const sources = globSync('src/server/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })
    .map(read)
    .join('');
  const logged = [...sources.matchAll(/logger\s*\.(\w+)\(\s*\{ event: '([a-z-]+)'/g)].map(
    ([, level, name]) => `${level} ${name}`,
  );
  const [, ...sections] = read('docs/log-events.md').split(/^## /m);
  const told = sections.flatMap((section) =>
    [...section.matchAll(/^- `([a-z-]+)`: \S/gm)].map(([, name]) => `${section.split('\n')[0]} ${name}`),
  );
  expect(told.toSorted()).toEqual([...new Set(logged)].toSorted());
});

describe('the commands that documents name', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'test/README.md',
    'docs/assurance.md',
    'docs/performance.md',
  ];
  const named = [
    ...documents
      .map(read)
      .join('\n')
      .matchAll(/`(npm (?:run )?([a-z:]+)(?: ([a-z-]+))?)`/g),
  ].map(([, command = '', script = '', benchmark]) => ({ command, script, benchmark }));
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const benchmarks = globSync('bench/*.ts', { cwd: ROOT }).flatMap(
    (file) => /^ {2}name: '([^']+)',\n {2}title:/m.exec(read(file))?.[1] ?? [],
  );

  it('are found', () => expect(named.length).toBeGreaterThan(20));

  it.each(named)('$command can be run', ({ script, benchmark }) => {
    expect(Object.keys(scripts)).toContain(script);
    if (script === 'bench' && benchmark !== undefined) expect(benchmarks).toContain(benchmark);
  });
});

describe('what an operator is told to type', () => {
  /** What the shell replaces by a secret, or by the file of one. */
  const SECRET = /\$\((?:cat|<) [^)]*\)|\$\{?(?:DATABASE_URL|BOT_TOKENS|\w*PASSWORD)\b/;
  const files = globSync(
    ['*.md', '*.yaml', 'Dockerfile', 'docs/*.md', 'ops/**/*.*', 'src/{cli,server}/**/*.ts'],
    { cwd: ROOT, exclude: ['**/*.test.ts'] },
  );

  it('puts no secret where ps shows it', () => {
    const lines = files.flatMap((file) => read(file).split('\n'));
    // The shell itself does that, without another process.
    expect(lines.filter((line) => SECRET.test(line) && !line.includes('printf '))).toEqual([]);
    expect(files.length).toBeGreaterThan(100);
  });
});
