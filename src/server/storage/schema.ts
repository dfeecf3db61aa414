import type { Kysely } from 'kysely';
import type { PausedLink } from '#shared/site.ts';

/** A donated token, sealed. Nothing here tells whose it is without the keyring. */
export type DonatedTokenRow = {
  id: string;
  /** The root key under which the row is sealed and its digests are made. */
  kid: string;
  wrapped_key: Uint8Array;
  ciphertext: Uint8Array;
  /** Keyed digests of the whole token, of the bot's id, and of the receipt. */
  fingerprint: string;
  bot_fingerprint: string;
  receipt_digest: string;
  created_day: string;
  /** How it is sealed. */
  format: number;
  /** Where it was donated: no other platform is asked about it. Null until the first start of a version that knows. */
  platform: 'sandbox' | 'discord' | null;
};

/** A short address of ours that leads to a server's invite. */
export type VanityLinkRow = {
  name: string;
  invite_code: string;
  /** The server that the invite led to when the link was approved. It may not become another. */
  guild_id: string;
  /** Null while the link works. */
  paused_because: PausedLink['because'] | null;
  /** When the platform last said where the invite leads. */
  checked_at: string;
  created_day: string;
  /** Notes for the operator, never public. */
  donor: string | null;
  amount_eur: number | null;
  donated_on: string | null;
};

/** A token that is out of use for good: the platform no longer accepts it, or the operator deleted it. */
export type RetirementRow = { token_id: string; retired_at: string; reason: 'platform' | 'operator' };

/** A server that runs on these records. */
export type NodeRow = {
  id: string;
  /** The machine's, for the operator. */
  name: string;
  /** By the clock of the database. */
  seen_at: Date;
  /** The keys in its keyring file, separated by spaces. */
  kids: string;
  version: string;
};

/** What one server has counted in five minutes. */
export type FigureRow = {
  server: string;
  /** When they began, since 1970. */
  from_ms: number;
  served: number;
  refused: number;
  /** The most at one time. */
  healthy: number;
};

/** A machine's list of withdrawn tokens. */
export type WithdrawnListRow = {
  id: string;
  /** The machine's, for the operator. */
  name: string;
  /** The database that has all of it; `''` if none is known to, `'gone'` if nobody waits for it any more. */
  merged_into: string;
};

export type Schema = {
  donated_token: DonatedTokenRow;
  /** Tells whether a key of the ring is still the one that sealed the rows. */
  vault_key: { kid: string; check_digest: string };
  retirement: RetirementRow;
  vanity_link: VanityLinkRow;
  /** Ids that are not to be shown, as keyed digests. */
  opt_out: { digest: string; created_day: string };
  withdrawn_list: WithdrawnListRow;
  schema_migration: { number: number; name: string };
  figure: FigureRow;
  /** What the platform holds against us, as JSON: known to `all` servers or, in a folder, to the `server` or a command. */
  standing: { who: string; record: string };
  // From here on in PostgreSQL only.
  /** The ids of rows whose donor has taken the token back. */
  withdrawn: { row_id: string };
  /** The servers that are running, or were a moment ago. */
  node: NodeRow;
  /** One row: the name of this database, and how often it was written to. */
  change: { site: string; n: number };
  /** One row: the figures that all servers show, and the window of time that they are of. */
  shown_figures: { one: boolean; window: number; body: string };
};

/** One step from one version of the schema to the next. */
export type Migration = {
  readonly name: string;
  /** Absent if it is for every dialect. */
  readonly only?: 'postgres';
  readonly up: (db: Kysely<Schema>) => Promise<void>;
};
