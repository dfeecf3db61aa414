// The whole gate. Every step runs even if one before it failed, and the last line counts what passed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTestBrowser } from './browser.mjs';

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
});
const playwrightCounts = ({ stats }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  skipped: stats.skipped,
});

const STEPS = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'types of the server', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'types of the web part', command: ['tsc', '-p', 'tsconfig.web.json'] },
  { name: 'types of the browser tests', command: ['tsc', '-p', 'tsconfig.e2e.json'] },
  { name: 'dead code', command: ['knip'] },
  {
    name: 'unit and integration',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    counts: () => readCounts(vitestReport, vitestCounts),
    fast: ['vitest', 'run', 'src/', 'test/architecture/'],
  },
  { name: 'build', command: ['node', 'scripts/setup.mjs', 'build'], slow: true },
  {
    name: 'browser',
    command: ['playwright', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport, CHROMIUM_PATH: findTestBrowser() ?? '' },
    counts: () => readCounts(playwrightReport, playwrightCounts),
    slow: true,
  },
];

const fastOnly = process.argv.includes('--fast');
let passed = 0;
let failed = 0;
let skipped = 0;

for (const { name, command, fast, env = {}, counts = () => null, slow = false } of STEPS) {
  if (slow && fastOnly) continue;
  const [program, ...args] = fastOnly && fast ? fast : command;
  process.stdout.write(`\n— ${name}\n`);
  const { status } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  const counted = counts() ?? { passed: 1, failed: 0, skipped: 0 };
  // A runner that ends badly without naming a failed test failed all the same.
  passed += status === 0 ? counted.passed : Math.max(0, counts() === null ? 0 : counted.passed);
  failed += status === 0 ? 0 : Math.max(1, counted.failed);
  skipped += counted.skipped;
}

rmSync(reports, { recursive: true, force: true });
// Skipped is what this machine lacks something for: another engine, a proxy, or a user who is not root.
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`);
process.exit(failed === 0 ? 0 : 1);
