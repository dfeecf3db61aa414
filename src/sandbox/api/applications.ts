import { hash } from 'node:crypto';
import type { UserObject } from '../profiles/user-object.ts';

/** The body of GET /applications/@me. On the platform an application shares its id with its bot. */
export const applicationObject = (bot: UserObject, owner: UserObject, guildCount: number): object => ({
  id: bot.id,
  name: bot.username,
  icon: null,
  description: '',
  type: null,
  bot,
  bot_public: true,
  bot_require_code_grant: false,
  integration_types_config: { '0': {}, '1': {} },
  verify_key: hash('sha256', `verify-key:${bot.id}`),
  flags: 0,
  flags_new: '0',
  redirect_uris: [],
  interactions_endpoint_url: null,
  role_connections_verification_url: null,
  owner,
  approximate_guild_count: guildCount,
  approximate_user_install_count: 0,
  approximate_user_authorization_count: 0,
  explicit_content_filter: 0,
  team: null,
  eligible_oauth2_scopes: [],
});

/** The body of GET /users/@me: a bot also sees its own account settings. */
export const currentUserObject = (bot: UserObject): object => ({
  ...bot,
  mfa_enabled: true,
  locale: 'en-US',
  premium_type: 0,
  email: null,
  verified: true,
});
