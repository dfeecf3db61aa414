import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { SAMPLE_PROFILES, SAMPLE_USERS } from '../profiles/sample-profiles.ts';
import { startSandbox } from '#test/support/sandbox-client.ts';

// The rules of Discord's published OpenAPI document for what the sandbox serves, in short.

const SCALARS = {
  Snowflake: Type.String({ pattern: '^(0|[1-9][0-9]*)$' }),
  Int32: Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
  Int53: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  Palette: Type.Enum(
    'crimson berry sky teal forest bubble_gum violet cobalt clover lemon white black'.split(' '),
  ),
};
/** From the type of an object, as TypeScript writes it. */
const rulesOf = (type: string): TSchema => Type.Script(SCALARS, type);

const USER = `
  id: Snowflake, username: string, avatar: string | null, discriminator: string, public_flags: Int32,
  flags: Int53, bot?: boolean, system?: boolean, banner?: string | null, accent_color?: Int32 | null,
  global_name: string | null,
  avatar_decoration_data?: { asset: string, sku_id: Snowflake | null } | null,
  collectibles?: {
    nameplate: { sku_id: Snowflake | null, asset: string, label: string, palette: Palette } | null
  } | null`;
const GUILD = `{
  identity_guild_id: Snowflake | null, identity_enabled: boolean | null, tag: string | null,
  badge: string | null
}`;
const WHOLE_USER = `{ ${USER}, primary_guild: ${GUILD} | null }`;

const User = rulesOf(WHOLE_USER);
const ErrorBody = rulesOf('{ code: Int53, message: string }');

const problemsOf = (schema: TSchema, value: unknown): unknown[] => [...Value.Errors(schema, value)];
const limitless = { limit: 100_000, globalPerSecond: 100_000 };

it('every sample keeps the rules of the published schema', () => {
  for (const user of SAMPLE_USERS.values()) expect(problemsOf(User, structuredClone(user))).toEqual([]);
  expect(SAMPLE_PROFILES.length).toBe(SAMPLE_USERS.size + 1);
});

it('generated users of every kind keep the rules of the published schema', async () => {
  await using server = await startSandbox(limitless);
  const statuses = new Set<number>();
  for (let n = 0n; n < 150n; n += 1n) {
    const reply = await server.get(`/users/${300_000_000_000_000_000n + n * 1_234_567_890_123n}`);
    statuses.add(reply.status);
    expect(problemsOf(reply.status === 200 ? User : ErrorBody, reply.json())).toEqual([]);
  }
  expect(statuses).toEqual(new Set([200, 404]));
});
