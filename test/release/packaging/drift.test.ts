import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/drift.mjs');
const drift = (document: unknown, name = 'openapi.json') => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'openapi.json'), JSON.stringify(document));
  return spawnSync(process.execPath, [SCRIPT, join(folder.path, name)], { encoding: 'utf8' });
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const documentWith = (more: object, palettes: readonly string[]) => ({
  components: {
    schemas: {
      UserResponse: { properties: { id: text, collectibles: ref('Collectibles'), ...more } },
      Collectibles: { properties: { nameplate: { oneOf: [{ type: 'null' }, ref('Nameplate')] } } },
      Nameplate: { properties: { palette: ref('Palette'), ...more } },
      Palette: { type: 'string', oneOf: palettes.map((value) => ({ const: value })) },
      Loop: { properties: { loop: ref('Loop') } },
    },
  },
});

it('npm run drift names new fields and values only, and survives a schema that refers to itself', () => {
  expect(drift(documentWith({}, ['crimson']))).toMatchObject({ status: 0, stdout: 'Nothing new.\n' });
  const { status, stdout } = drift(documentWith({ loop: ref('Loop') }, ['crimson', 'gold']));
  expect(status).toBe(1);
  expect(stdout.trim().split('\n').toSorted()).toEqual([
    'New: field collectibles.nameplate.loop',
    'New: field loop',
    'New: value of collectibles.nameplate.palette: gold',
  ]);
});

it.each([
  ['a file that is not there', {}, 'elsewhere.json', 'ENOENT'],
  ['another document', { components: { schemas: {} } }, undefined, 'no schema UserResponse'],
])('npm run drift refuses %s with a sentence', (_what, document, name, words) => {
  const { status, stderr } = drift(document, name);
  expect([status, stderr]).toEqual([2, expect.stringMatching(`cannot be used.*${words}`)]);
});
