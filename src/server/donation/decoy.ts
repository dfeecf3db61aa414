import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { isoDay, type System } from '#server/system.ts';

/** No row has it: those of donated tokens are random. */
export const DECOY_ID = '00000000-0000-0000-0000-000000000000';

/** As large as a sealed token, and as scattered over the indexes. */
export const createDecoy = ({ clock, random }: System): DonatedTokenRow => {
  const digest = (): string => random.bytes(32).toString('hex');
  return {
    id: DECOY_ID,
    kid: random.bytes(8).toString('hex'),
    wrapped_key: random.bytes(60),
    ciphertext: random.bytes(100),
    fingerprint: digest(),
    bot_fingerprint: digest(),
    receipt_digest: digest(),
    created_day: isoDay(clock),
    format: 0,
    platform: null,
  };
};
