import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { SAMPLE_PROFILES, SAMPLE_USERS } from '../profiles/sample-profiles.ts';
import { startSandbox, type Ask } from '#test/support/sandbox-client.ts';

// The rules of Discord's published OpenAPI document for what the sandbox serves, in short.

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Snowflake = Type.String({ pattern: '^(0|[1-9][0-9]*)$' });
const Int32 = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });
const Int53 = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const NullableText = orNull(Type.String());

const PALETTES = 'crimson berry sky teal forest bubble_gum violet cobalt clover lemon white black'.split(' ');
const Nameplate = Type.Object({
  sku_id: orNull(Snowflake),
  asset: Type.String(),
  label: Type.String(),
  palette: Type.Enum(PALETTES),
});
const PrimaryGuild = Type.Object({
  identity_guild_id: orNull(Snowflake),
  identity_enabled: orNull(Type.Boolean()),
  tag: NullableText,
  badge: NullableText,
});
const userKeys = {
  id: Snowflake,
  username: Type.String(),
  avatar: NullableText,
  discriminator: Type.String(),
  public_flags: Int32,
  flags: Int53,
  bot: Type.Optional(Type.Boolean()),
  system: Type.Optional(Type.Boolean()),
  banner: Type.Optional(NullableText),
  accent_color: Type.Optional(orNull(Int32)),
  global_name: NullableText,
  avatar_decoration_data: Type.Optional(
    orNull(Type.Object({ asset: Type.String(), sku_id: orNull(Snowflake) })),
  ),
  collectibles: Type.Optional(orNull(Type.Object({ nameplate: orNull(Nameplate) }))),
};
const User = Type.Object({ ...userKeys, primary_guild: orNull(PrimaryGuild) });
const CurrentUser = Type.Object({
  ...userKeys,
  primary_guild: Type.Optional(orNull(PrimaryGuild)),
  mfa_enabled: Type.Boolean(),
  locale: Type.Enum(['en-US', 'en-GB', 'de', 'fr']),
  premium_type: Type.Optional(Type.Enum([0, 1, 2, 3])),
  email: Type.Optional(NullableText),
  verified: Type.Optional(Type.Boolean()),
});
const Application = Type.Object({
  id: Snowflake,
  name: Type.String(),
  icon: NullableText,
  description: Type.String(),
  type: orNull(Type.Integer()),
  bot: Type.Optional(User),
  bot_public: Type.Optional(Type.Boolean()),
  bot_require_code_grant: Type.Optional(Type.Boolean()),
  integration_types_config: Type.Optional(Type.Record(Type.String(), Type.Object({}))),
  verify_key: Type.String(),
  flags: Int32,
  flags_new: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  interactions_endpoint_url: NullableText,
  role_connections_verification_url: NullableText,
  owner: User,
  approximate_guild_count: Int32,
  approximate_user_install_count: Int32,
  approximate_user_authorization_count: Int32,
  explicit_content_filter: Type.Enum([0, 1]),
  team: Type.Null(),
  eligible_oauth2_scopes: Type.Array(Type.String()),
});
const inviteKeys = {
  code: Type.String(),
  inviter: Type.Optional(User),
  expires_at: orNull(Type.String({ format: 'date-time' })),
};
const inviteChannel = { id: Snowflake, name: NullableText };
const GuildInvite = Type.Object({
  type: Type.Literal(0),
  ...inviteKeys,
  guild: Type.Object({
    id: Snowflake,
    name: Type.String(),
    splash: NullableText,
    banner: NullableText,
    description: NullableText,
    icon: NullableText,
    features: Type.Array(Type.Enum(['COMMUNITY', 'NEWS']), { uniqueItems: true }),
    verification_level: orNull(Type.Enum([0, 1, 2, 3, 4])),
    vanity_url_code: NullableText,
    nsfw_level: orNull(Type.Enum([0, 1, 2, 3])),
    nsfw: orNull(Type.Boolean()),
    premium_subscription_count: Int32,
  }),
  guild_id: Snowflake,
  channel: Type.Object({ ...inviteChannel, type: Type.Enum([0, 2, 5, 13]) }),
});
const GroupInvite = Type.Object({
  type: Type.Literal(1),
  ...inviteKeys,
  channel: Type.Object({ ...inviteChannel, type: Type.Literal(3) }),
});
const FriendInvite = Type.Object({
  type: Type.Literal(2),
  ...inviteKeys,
  channel: Type.Null(),
  friends_count: Type.Optional(Int32),
});
const ErrorBody = Type.Object({ code: Type.Integer(), message: Type.String() });
const RateLimited = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  retry_after: Type.Number(),
  global: Type.Boolean(),
});

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
    ['the current user', '/users/@me', CurrentUser, {}],
    ['the application', '/applications/@me', Application, {}],
    ['an invite', '/invites/whoflake', GuildInvite, {}],
    ['an invite to a group', '/invites/group', GroupInvite, {}],
    ['an invite of a friend', '/invites/friend', FriendInvite, {}],
    ['a refusal', '/users/@me', ErrorBody, { authorization: null }],
    ['an unknown path', '/nothing', ErrorBody, {}],
  ] as [string, string, TSchema, Ask][])('for %s', async (_, path, schema, ask) => {
    await using server = await startSandbox();
    expect(problemsOf(schema, (await server.get(path, ask)).json())).toEqual([]);
  });

  it('for both kinds of 429', async () => {
    await using server = await startSandbox({ limit: 1, globalPerSecond: 2 });
    await server.get('/users/441997505123577857');
    for (let n = 0; n < 2; n += 1) {
      const reply = await server.get('/users/441997505123577857');
      expect(reply.status).toBe(429);
      expect(problemsOf(RateLimited, reply.json())).toEqual([]);
    }
  });
});
