import type { System } from '#server/system.ts';
import { composeSnowflake, type Snowflake } from '#shared/snowflake.ts';

const FROM_MS = Date.UTC(2016);
const IDS_PER_MS = 2 ** 22;

/**
 * An id to ask the platform about instead of one that is not to be shown: the wait, a refusal and a failure are then
 * real and give nothing away. Nobody has it: the platform gives out few of the four million ids of a millisecond.
 */
export const drawStandIn = ({ clock, random }: System): Snowflake => {
  const spanMs = Math.max(1, Math.floor(clock.wallMs()) - FROM_MS);
  return composeSnowflake(FROM_MS + random.integer(spanMs), random.integer(IDS_PER_MS));
};
