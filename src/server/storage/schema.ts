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
};

export type Schema = {
  donated_token: DonatedTokenRow;
  /** Tells whether a key of the ring is still the one that sealed the rows. */
  vault_key: { kid: string; check_digest: string };
  /** When the platform took a donated token from us. */
  retirement: { token_id: string; retired_at: string };
  schema_migration: { number: number; name: string };
};
