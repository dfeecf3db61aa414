export type DonatedTokenRow = {
  id: string;
  kid: string;
  wrapped_key: Uint8Array;
  ciphertext: Uint8Array;
  fingerprint: string;
  bot_fingerprint: string;
  receipt_digest: string;
  created_day: string;
  /** Where it was donated. */
  platform: 'sandbox' | 'discord';
};

export type RetirementRow = { token_id: string; retired_at: string; reason: 'platform' | 'operator' };

export type VanityLinkRow = {
  name: string;
  invite_code: string;
  /** The server that the invite led to when the link was approved. It may not become another. */
  guild_id: string;
  paused_because: 'operator' | 'invite-changed' | 'invite-gone' | null;
  checked_at: string;
  created_day: string;
  /** Notes for the operator, never public. */
  donor: string | null;
  amount_eur: number | null;
  donated_on: string | null;
};

/** Of the hour from `from_ms` on; of the healthy tokens the most at one time. */
export type FigureRow = { server: string; from_ms: number; served: number; refused: number; healthy: number };

export type NodeRow = {
  id: string;
  name: string;
  seen_at: Date;
  version: string;
};

export type Schema = {
  schema_migration: { number: number; name: string };
  donated_token: DonatedTokenRow;
  vault_key: { kid: string; check_digest: string };
  retirement: RetirementRow;
  vanity_link: VanityLinkRow;
  opt_out: { digest: string; created_day: string };
  /** One row: the name of the database that all lists were merged into; empty if none is known to be. */
  withdrawn_list: { merged_into: string };
  figure: FigureRow;
  /** Of the `platform` (what it holds against us), and of the `tokens`. `record`: JSON. */
  standing: { who: string; record: string };
  // From here on in PostgreSQL only.
  withdrawn: { row_id: string };
  node: NodeRow;
  token_state: { id: string; record: string | null; free_at: number; place: string; changed_at: number };
  /** One row: the name of this database, and how often it was written to. */
  change: { site: string; n: number };
};
