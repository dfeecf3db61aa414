import { Type, type TProperties, type TSchema } from 'typebox';

const orNull = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()]);
const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const yesOrNo = Type.Boolean();
const day = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\d$` });
const state = Type.Enum(['ok', 'warning', 'failed']);
const fields = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const list = <T extends TProperties>(properties: T) => Type.Array(fields(properties));

const link = fields({
  name: text,
  invite_code: text,
  guild_id: text,
  paused_because: orNull(Type.Enum(['operator', 'invite-changed', 'invite-gone'])),
  checked_at: text,
  created_day: day,
  donor: orNull(text),
  amount_eur: orNull(Type.Number()),
  donated_on: orNull(day),
});

/** Missing if a backup was made and could not be checked, or if nothing was to be checked. */
const backupContents = {
  token_count: Type.Optional(count),
  unreadable_token_count: Type.Optional(count),
  withdrawn_token_count: Type.Optional(count),
  link_count: Type.Optional(count),
  opt_out_count: Type.Optional(count),
  database_version: Type.Optional(count),
  current_version: Type.Optional(count),
};

/** What every document may begin and end with. */
const COMMON = {
  dry_run: Type.Optional(Type.Literal(true)),
  error: Type.Optional(text),
  frames: Type.Optional(Type.Array(text)),
};

/** The fields of `--json` by command, beside those that all have. */
export const DOCUMENTS: Readonly<Record<string, TProperties>> = {
  status: {
    serving: yesOrNo,
    problem: orNull(fields({ finding: text, remedy: text })),
    data_dir: text,
    settings_file: orNull(text),
    records: orNull(
      fields({
        version: count,
        token_count: count,
        retired_token_count: count,
        removed_token_count: count,
        last_retirement: orNull(text),
        key_count: count,
        active_link_count: count,
        paused_link_count: count,
        opt_out_count: count,
        servers: Type.Optional(list({ name: text, version: text })),
        lost_servers: Type.Optional(list({ name: text, last_seen: text })),
      }),
    ),
    backup: orNull(fields({ at: text, file: text })),
    // What /readyz says: of whatever version the server is.
    server: orNull(Type.Object({ ready: yesOrNo })),
  },
  doctor: {
    problem_count: count,
    warning_count: count,
    checks: list({ what: text, state, finding: text, remedy: Type.Optional(text) }),
  },
  'notify test': { sent: yesOrNo },
  'config check': {
    file: orNull(text),
    problems: list({ state: Type.Enum(['warning', 'failed']), finding: text }),
  },
  'tokens list': {
    tokens: list({
      id: text,
      kind: Type.Enum(['stored', 'own']),
      state: Type.Enum([
        'healthy',
        'cooling',
        'suspect',
        'retired',
        'unused',
        'withdrawn',
        'unreadable',
        'other-platform',
        'unknown',
      ]),
      since: orNull(text),
      until: orNull(text),
      requests: orNull(count),
      created_day: orNull(day),
      key: orNull(text),
      opens: orNull(yesOrNo),
    }),
  },
  'tokens add': {
    tokens: list({
      line: count,
      outcome: Type.Enum(['added', 'already-stored', 'refused']),
      id: orNull(text),
      receipt: orNull(text),
      refused: orNull(text),
    }),
  },
  'tokens check': {
    tokens: list({
      state: Type.Enum(['ok', 'failed']),
      id: text,
      kind: Type.Enum(['stored', 'own']),
      verdict: Type.Enum([
        'good',
        'rejected',
        'not-a-bot',
        'in-servers',
        'unclear',
        'unreadable',
        'not-asked',
      ]),
    }),
  },
  'tokens remove': { id: text, removed: yesOrNo },
  withdrawn: {
    file: Type.Optional(text),
    merged_count: Type.Optional(count),
    awaited: Type.Optional(Type.Array(text)),
    released: Type.Optional(Type.Array(text)),
  },
  'vanity list': { links: Type.Array(link) },
  'vanity add': {
    name: text,
    added: yesOrNo,
    invite_code: text,
    guild_id: text,
    guild_name: orNull(text),
  },
  'vanity change': { name: text, invite_code: text, guild_id: text },
  'vanity pause': { name: text, paused_because: Type.Literal('operator') },
  'vanity resume': { name: text, paused_because: Type.Null(), guild_id: text, guild_name: text },
  'vanity remove': { name: text, removed: yesOrNo },
  'vanity check': {
    links: list({ name: text, verdict: Type.Enum(['good', 'invite-changed', 'invite-gone', 'unclear']) }),
  },
  'optout list': { opt_outs: list({ digest: text, created_day: day }) },
  'optout check': { ids: list({ line: count, listed: yesOrNo, created_day: orNull(day) }) },
  'optout add': { added_count: count, already_listed_count: count },
  'optout remove': { removed_count: count, not_listed_count: count },
  'vault status': {
    keyring_file: text,
    keys: list({ key: text, created_day: day, token_count: count, active: yesOrNo }),
  },
  'vault rotate': {
    key: text,
    keyring_file: Type.Optional(text),
    resumed: Type.Optional(yesOrNo),
    resealed_token_count: Type.Optional(count),
    unreadable_token_count: Type.Optional(count),
  },
  'vault retire': { key: text, removed: yesOrNo },
  backup: {
    file: text,
    bytes: Type.Optional(count),
    keyring_file: Type.Optional(text),
    pruned: Type.Optional(Type.Array(text)),
    ...backupContents,
  },
  restore: {
    file: text,
    set_aside: Type.Optional(orNull(text)),
    would_set_aside: Type.Optional(Type.Array(text)),
    ...backupContents,
  },
  init: {
    created: yesOrNo,
    place: text,
    keyring_file: text,
    file: Type.Optional(text),
    set_aside: Type.Optional(orNull(text)),
    saved: Type.Optional(fields({ token_count: count, link_count: count, opt_out_count: count })),
    lost: Type.Optional(fields({ token_count: count, opt_out_count: count })),
  },
  'move-records': {
    file: orNull(text),
    row_count: Type.Optional(count),
    copied: Type.Optional(yesOrNo),
    set_aside: Type.Optional(orNull(text)),
    would_copy: Type.Optional(yesOrNo),
    ...backupContents,
  },
  migrate: { from: count, to: count },
  version: {
    version: text,
    commit: orNull(text),
    node: text,
    schema_version: fields({ sqlite: count, postgres: count }),
  },
  completion: { shell: text, script: text },
};

/** A command that failed before it had anything to tell says why, and nothing else. */
export const documentOf = (name: string) =>
  Type.Union([
    fields({ state, ...DOCUMENTS[name], ...COMMON }),
    fields({ state: Type.Literal('failed'), error: text, frames: COMMON.frames }),
  ]);
