import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTestBrowser } from './browser.mjs';

const fastOnly = process.argv.includes('--fast');
const reports = mkdtempSync(join(tmpdir(), 'whoflake-test-'));
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');

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

const types = (project) => [
  'tsc',
  '-p',
  `${project}.json`,
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/types/${project}.tsbuildinfo`,
];

const LOOKS = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'types of the server', command: types('tsconfig') },
  { name: 'types of the web part', command: types('tsconfig.web') },
  { name: 'types of the browser tests', command: types('tsconfig.e2e'), slow: true },
  { name: 'dead code', command: ['knip'], slow: true },
  { name: 'known vulnerabilities', command: ['node', 'scripts/audit.mjs'], slow: true },
].filter(({ slow = false }) => !(slow && fastOnly));

const STEPS = [
  {
    name: 'unit and integration',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    counts: () => readCounts(vitestReport, vitestCounts),
    fast: ['vitest', 'run', 'src/', 'test/architecture/', '--tagsFilter=!slow'],
    env: fastOnly ? { TEST_WITHOUT_PROGRAMS: '' } : {},
  },
  {
    name: 'browser',
    command: ['playwright', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport, CHROMIUM_PATH: findTestBrowser() ?? '' },
    counts: () => readCounts(playwrightReport, playwrightCounts),
    slow: true,
  },
];

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
const announce = (name) => process.stdout.write(`\n— ${name}\n`);

const look = async ([program, ...args], added = {}) => {
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...added };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const said = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (bytes) => said.push(bytes));
  const status = await new Promise((resolve) => {
    child.on('error', (error) => {
      said.push(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
    child.on('close', resolve);
  });
  return { status, said: Buffer.concat(said) };
};

// All side by side: tests wait for their programs more than they compute.
const steps = STEPS.filter(({ slow = false }) => !(slow && fastOnly)).map(
  ({ name, command, fast, env, counts }) => ({
    name,
    counts,
    looked: look(fastOnly && fast ? fast : command, env),
  }),
);
// One at a time beside them: each uses all cores.
for (const { name, command } of LOOKS) {
  const { status, said } = await look(command);
  announce(name);
  process.stdout.write(said);
  // EX_TEMPFAIL: what it needs cannot be had here.
  if (status === 75) skipped += 1;
  else count(name, status, said, null);
}

for (const { name, looked, counts } of steps) {
  const { status, said } = await looked;
  announce(name);
  process.stdout.write(said);
  count(name, status, said, counts());
}

rmSync(reports, { recursive: true, force: true });
// Said again at the end: what a CI keeps of a long output is its last lines.
for (const failure of failures) process.stdout.write(`\nFAILED ${failure}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`);
// Not `process.exit`: what a slow reader has not taken yet would be lost.
process.exitCode = failed === 0 ? 0 : 1;
