import { parseArgs } from 'node:util';
import { SAMPLE_PROFILES } from './profiles/sample-profiles.ts';
import { createSandbox } from './sandbox.ts';
import { UsageError } from './usage-error.ts';

const number = (name: string, text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new UsageError(`--${name} must be a number.`);
  return value;
};

const start = async (): Promise<void> => {
  const { values: flags } = parseArgs({
    options: {
      port: { type: 'string', default: '8081' },
      limit: { type: 'string', default: '30' },
      'period-ms': { type: 'string', default: '30000' },
      chaos: { type: 'string', default: '0' },
    },
  });
  const sandbox = createSandbox({
    limit: number('limit', flags.limit),
    periodMs: number('period-ms', flags['period-ms']),
  });
  sandbox.faults.set({ chaos: number('chaos', flags.chaos) });
  const { apiUrl, cdnUrl } = await sandbox.listen({ port: number('port', flags.port) });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
  const users = SAMPLE_PROFILES.slice(0, 3).map(({ id, label }) => `User   ${id}  ${label}`);
  console.log(
    [`API    ${apiUrl}`, `CDN    ${cdnUrl}`, `Token  ${sandbox.mintToken(0)}`, ...users].join('\n'),
  );
};

try {
  await start();
} catch (error) {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isExpected = error instanceof UsageError || /^(?:ERR_PARSE_ARGS|EADDR|EACCES)/.test(code);
  console.error(isExpected ? (error as Error).message : error);
  process.exitCode = 1;
}
