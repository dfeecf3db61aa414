import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');

const drift = (document: unknown, name = 'openapi.json') => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'openapi.json'), JSON.stringify(document));
  return spawnSync(process.execPath, ['scripts/drift.mjs', join(folder.path, name)], {
    cwd: ROOT,
    encoding: 'utf8',
  });
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const orNull = (schema: unknown) => ({ oneOf: [{ type: 'null' }, schema] });
const text = { type: 'string' };
const documentWith = ({ user = {}, nameplate = {}, palettes = ['crimson'] }) => ({
  components: {
    schemas: {
      UserResponse: {
        type: 'object',
        properties: {
          id: ref('Snowflake'),
          username: text,
          avatar: { type: ['string', 'null'] },
          public_flags: { type: 'integer' },
          collectibles: orNull(ref('Collectibles')),
          ...user,
        },
      },
      Snowflake: text,
      Collectibles: { type: 'object', properties: { nameplate: orNull(ref('Nameplate')) } },
      Nameplate: { type: 'object', properties: { palette: ref('Palette'), asset: text, ...nameplate } },
      Palette: {
        type: 'string',
        oneOf: palettes.map((value) => ({ title: value.toUpperCase(), const: value })),
      },
      // Refers to itself.
      Loop: { type: 'object', properties: { loop: ref('Loop') } },
    },
  },
});

it('drift names new fields and values only, and survives a schema that refers to itself', () => {
  expect(drift(documentWith({}))).toMatchObject({ status: 0, stdout: 'Nothing new.\n' });
  const news = {
    user: { pronouns: text, loop: ref('Loop') },
    nameplate: { glow: text },
    palettes: ['crimson', 'gold'],
  };
  const { status, stdout } = drift(documentWith(news));
  expect(status).toBe(1);
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'New: field pronouns',
      'New: field loop',
      'New: field collectibles.nameplate.glow',
      'New: value of collectibles.nameplate.palette: gold',
    ]),
  );
  expect(stdout).not.toMatch(/crimson|loop\.loop/);
});

it.each([
  ['a file that is not there', {}, 'elsewhere.json', 'ENOENT'],
  ['another document', { components: { schemas: {} } }, undefined, 'no schema UserResponse'],
])('drift refuses %s with a sentence', (_what, document, name, words) => {
  const { status, stderr } = drift(document, name);
  expect(status).toBe(2);
  expect(stderr).toContain('cannot be used');
  expect(stderr).toContain(words);
});
