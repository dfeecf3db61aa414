import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/audit.mjs');
const UNANSWERED = ['{"error":{"summary":"405"}}', 1] as const;
const NO_ADVISORIES = ['{"metadata":{}}', 0] as const;
const AN_ADVISORY = ['{"metadata":{},"vulnerabilities":{"x":{}}}', 1] as const;
const SIGNED = ['{"invalid":[],"missing":[]}', 0] as const;
const WRONGLY_SIGNED = ['{"invalid":[{"name":"x"}],"missing":[]}', 1] as const;

it.each([
  ['passes what has no advisories and good signatures', NO_ADVISORIES, SIGNED, 0],
  ['fails on an advisory', AN_ADVISORY, UNANSWERED, 1],
  ['fails on a wrong signature', NO_ADVISORIES, WRONGLY_SIGNED, 1],
  ['is skipped where the registry does not answer', UNANSWERED, UNANSWERED, 75],
] as const)('the audit of packages %s', (_what, advisories, signatures, status) => {
  using folder = temporaryFolder();
  const answer = ([text, code]: readonly [string, number]) => `echo '${text}'; exit ${code}`;
  const npm = `#!/bin/sh
case "$*" in *signatures*) ${answer(signatures)} ;; *) ${answer(advisories)} ;; esac
`;
  writeFileSync(join(folder.path, 'npm'), npm, { mode: 0o755 });
  const env = { PATH: `${folder.path}:/bin` };
  expect(spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8', env }).status).toBe(status);
});
