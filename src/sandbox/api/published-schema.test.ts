import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { SAMPLE_PROFILES, SAMPLE_USERS } from '../profiles/sample-profiles.ts';
import { startSandbox } from '#test/support/sandbox-client.ts';

// The rules of Discord's published OpenAPI document for what the sandbox serves, in short.

const SCALARS = {
  Snowflake: Type.String({ pattern: '^(0|[1-9][0-9]*)$' }),
  Int32: Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
  Int53: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  Time: Type.String({ format: 'date-time' }),
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
const INVITE = `code: string, inviter?: ${WHOLE_USER}, expires_at: Time | null`;
const CHANNEL = 'id: Snowflake, name: string | null';

const User = rulesOf(WHOLE_USER);
const CurrentUser = rulesOf(`{
  ${USER}, primary_guild?: ${GUILD} | null, mfa_enabled: boolean, locale: "en-US" | "en-GB" | "de" | "fr",
  premium_type?: 0 | 1 | 2 | 3, email?: string | null, verified?: boolean
}`);
const Application = rulesOf(`{
  id: Snowflake, name: string, icon: string | null, description: string, type: Int32 | null,
  bot?: ${WHOLE_USER}, bot_public?: boolean, bot_require_code_grant?: boolean,
  integration_types_config?: Record<string, {}>, verify_key: string, flags: Int32, flags_new: string,
  redirect_uris: string[], interactions_endpoint_url: string | null,
  role_connections_verification_url: string | null, owner: ${WHOLE_USER}, approximate_guild_count: Int32,
  approximate_user_install_count: Int32, approximate_user_authorization_count: Int32,
  explicit_content_filter: 0 | 1, team: null, eligible_oauth2_scopes: string[]
}`);
const GuildInvite = rulesOf(`{
  type: 0, ${INVITE},
  guild: {
    id: Snowflake, name: string, splash: string | null, banner: string | null, description: string | null,
    icon: string | null, features: ("COMMUNITY" | "NEWS")[], verification_level: 0 | 1 | 2 | 3 | 4 | null,
    vanity_url_code: string | null, nsfw_level: 0 | 1 | 2 | 3 | null, nsfw: boolean | null,
    premium_subscription_count: Int32
  },
  guild_id: Snowflake, channel: { ${CHANNEL}, type: 0 | 2 | 5 | 13 }
}`);
const GroupInvite = rulesOf(`{ type: 1, ${INVITE}, channel: { ${CHANNEL}, type: 3 } }`);
const FriendInvite = rulesOf(`{ type: 2, ${INVITE}, channel: null, friends_count?: Int32 }`);
const ErrorBody = rulesOf('{ code: Int53, message: string }');

const problemsOf = (schema: TSchema, value: unknown): unknown[] => [...Value.Errors(schema, value)];
const limitless = { limit: 100_000, globalPerSecond: 100_000 };

describe('answers keep the rules of the published schema', () => {
  it('for every sample', () => {
    for (const user of SAMPLE_USERS.values()) expect(problemsOf(User, structuredClone(user))).toEqual([]);
    expect(SAMPLE_PROFILES.length).toBe(SAMPLE_USERS.size + 1);
  });

  it('for generated users of every kind', async () => {
    await using server = await startSandbox(limitless);
    const statuses = new Set<number>();
    for (let n = 0n; n < 150n; n += 1n) {
      const reply = await server.get(`/users/${300_000_000_000_000_000n + n * 1_234_567_890_123n}`);
      statuses.add(reply.status);
      expect(problemsOf(reply.status === 200 ? User : ErrorBody, reply.json())).toEqual([]);
    }
    expect(statuses).toEqual(new Set([200, 404]));
  });

  it.each([
    ['the current user', '/users/@me', CurrentUser],
    ['the application', '/applications/@me', Application],
    ['an invite', '/invites/whoflake', GuildInvite],
    ['an invite to a group', '/invites/group', GroupInvite],
    ['an invite of a friend', '/invites/friend', FriendInvite],
  ] as [string, string, TSchema][])('for %s', async (_, path, schema) => {
    await using server = await startSandbox();
    expect(problemsOf(schema, (await server.get(path)).json())).toEqual([]);
  });
});
