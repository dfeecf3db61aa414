import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import manifest from '#package.json' with { type: 'json' };
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import type { Part } from '../suite.ts';
import { registrySettings } from './bare-root.ts';
import { demand, quote, say } from './checks.ts';

const CLONE = join(import.meta.dirname, '../../..');
const WORKFLOWS = join(CLONE, '.github/workflows');

type Step = { readonly run?: string };
type Workflow = { readonly jobs: Readonly<Record<string, { readonly steps?: readonly Step[] }>> };

/** Stands in for the forge's program, and checks that every file it is given exists. */
const GH = `#!/bin/sh
for argument; do
  case $argument in release/*) [ -s "$argument" ] || { echo "There is no $argument." >&2; exit 1; } ;; esac
done
echo "gh $*"
`;

/** The commands of each job, in their order; actions are the forge's and are left out. */
const readJobs = (workflow: string) => {
  const { jobs } = parse(readFileSync(join(WORKFLOWS, workflow), 'utf8')) as Workflow;
  return Object.entries(jobs)
    .map(([name, { steps = [] }]) => ({ name, scripts: steps.flatMap(({ run }) => run ?? []) }))
    .filter(({ scripts }) => scripts.length > 0);
};

const answers = (url: string): Promise<boolean> =>
  fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(20_000) }).then(
    () => true,
    () => false,
  );

/** As a runner does: each job in a checkout of its own, each script by `bash -e`. Resolves to what was not run. */
const runJob = async (scripts: readonly string[]): Promise<readonly string[]> => {
  using folder = temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  mkdirSync(at('bin'));
  writeFileSync(at('bin/gh'), GH, { mode: 0o755 });
  writeFileSync(at('output'), '');
  execFileSync('git', ['clone', '--quiet', CLONE, at('clone')]);
  const env = {
    ...registrySettings(),
    PATH: [at('bin'), process.env['PATH']].join(delimiter),
    HOME: process.env['HOME'],
    CI: 'true',
    GITHUB_REF_NAME: `v${manifest.version}`,
    GITHUB_OUTPUT: at('output'),
    GITHUB_WORKSPACE: at('clone'),
    // A step may change it: not this machine's.
    GIT_CONFIG_GLOBAL: at('gitconfig'),
  };
  const skipped: string[] = [];
  for (const script of scripts) {
    say(script.trimEnd().replaceAll(/^/gm, '$ '));
    const [url] = /https:\S+/.exec(script) ?? [];
    if (url !== undefined && !(await answers(url))) {
      skipped.push(`${new URL(url).host} does not answer here`);
      continue;
    }
    writeFileSync(at('script'), script);
    const { status } = spawnSync('bash', ['-e', at('script')], {
      cwd: at('clone'),
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    demand(`it ended with ${status}`, status === 0);
  }
  quote(readFileSync(at('output'), 'utf8'));
  return skipped;
};

/** A part for every workflow that has commands of its own: they are read from its file. */
export const workflowParts = (): Part<unknown>[] =>
  readdirSync(WORKFLOWS)
    .map((workflow) => ({ workflow, jobs: readJobs(workflow) }))
    .filter(({ jobs }) => jobs.length > 0)
    .map(({ workflow, jobs }) => ({
      name: `the commands of ${workflow}`,
      run: async () => {
        const skipped: string[] = [];
        for (const { name, scripts } of jobs) {
          say(`The job ${name}, in a fresh clone:`);
          skipped.push(...(await runJob(scripts)));
        }
        const count = jobs.flatMap(({ scripts }) => scripts).length - skipped.length;
        return { count, broken: 0, note: skipped.map((why) => `skipped: ${why}`).join('; ') };
      },
    }));
