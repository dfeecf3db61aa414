import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/drift.mjs');
const drift = (document: unknown) => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  return spawnSync(process.execPath, [SCRIPT, file], { encoding: 'utf8' });
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

it('npm run drift refuses another document with a sentence', () => {
  const { status, stderr } = drift({ components: { schemas: {} } });
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('cannot be used: it has no schema UserResponse'),
  ]);
});
