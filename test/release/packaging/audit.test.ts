import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/audit.mjs');

type Answer = { readonly text: string; readonly code: number };
const UNANSWERED: Answer = { text: '{"error":{"summary":"405"}}', code: 1 };
const NO_ADVISORIES: Answer = { text: '{"metadata":{}}', code: 0 };
const SIGNED: Answer = { text: '{"invalid":[],"missing":[]}', code: 0 };

const audit = (advisories: Answer, signatures: Answer) => {
  using folder = temporaryFolder();
  const script = `#!/bin/sh
case "$*" in
  *signatures*) echo '${signatures.text}'; exit ${signatures.code};;
  *) echo '${advisories.text}'; exit ${advisories.code};;
esac
`;
  writeFileSync(join(folder.path, 'npm'), script, { mode: 0o755 });
  return spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8', env: { PATH: `${folder.path}:/bin` } });
};

it.each([
  { what: 'passes what has no advisories and good signatures', answers: [NO_ADVISORIES, SIGNED], status: 0 },
  {
    what: 'fails on an advisory',
    answers: [{ text: '{"metadata":{},"vulnerabilities":{"x":{}}}', code: 1 }, UNANSWERED],
    status: 1,
  },
  {
    what: 'fails on a wrong signature',
    answers: [NO_ADVISORIES, { text: '{"invalid":[{"name":"x"}],"missing":[]}', code: 1 }],
    status: 1,
  },
  { what: 'is skipped where the registry does not answer', answers: [UNANSWERED, UNANSWERED], status: 75 },
] as const)('the audit $what', ({ answers: [advisories, signatures], status }) => {
  const run = audit(advisories, signatures);
  expect(run.status).toBe(status);
  expect(run.stdout.includes('Skipped')).toBe(
    [advisories, signatures].some(({ text }) => !/metadata|invalid/.test(text)),
  );
});
