import { parseArgs } from 'node:util';
import { formatReport, type ReportLine } from '#test/assurance/report.ts';
import { runOverload } from './overload.ts';
import { runSteady } from './steady.ts';
import { runStops } from './stop.ts';

const HELP = `npm run soak -- [part…] [--minutes 10] [--per-second 200] [--seed <n>]

  steady    lookups at a steady rate on a platform with chaos
  stop      SIGTERM under load
  overload  ten times what the server can do

All of them unless some are named. Ends with 1 if anything broke.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    'per-second': { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    help: { type: 'boolean', default: false },
  },
});
const [minutes, perSecond, seed] = [values.minutes, values['per-second'], values.seed].map(Number);

const PARTS: Readonly<Record<string, () => Promise<ReportLine[]>>> = {
  steady: () => runSteady({ minutes: minutes ?? 0, perSecond: perSecond ?? 0, seed: seed ?? 0 }),
  stop: () => runStops(),
  overload: () => runOverload(),
};

const wrong = positionals.some((name) => !Object.hasOwn(PARTS, name));
const inRange = [minutes, perSecond, seed].every((value) => value !== undefined && value >= 0);
if (values.help || wrong || !inRange) {
  process.stderr.write(HELP);
  process.exit(values.help ? 0 : 2);
}

const lines: ReportLine[] = [];
for (const [name, run] of Object.entries(PARTS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  process.stderr.write(`${name}…\n`);
  try {
    lines.push(...(await run()));
  } catch (error) {
    lines.push({ name, count: 0, broken: 1, note: String(error) });
  }
}
process.stdout.write(`\n${formatReport(lines, seed ?? 0)}\n`);
process.exitCode = lines.every(({ broken }) => broken === 0) ? 0 : 1;
