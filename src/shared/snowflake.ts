/** A Discord id: a decimal string, because 64 bits do not fit a JavaScript number. */
export type Snowflake = string & { readonly __snowflake: unique symbol };

type SnowflakeProblem = 'missing' | 'malformed' | 'zero' | 'too-large' | 'future';

type ParsedSnowflake =
  | { readonly ok: true; readonly id: Snowflake }
  | { readonly ok: false; readonly problem: SnowflakeProblem };

/** How many digits an account's id has. */
export const ID_DIGITS = { fewest: 17, most: 19 };
const DISCORD_EPOCH_MS = 1_420_070_400_000;
const MAX_SNOWFLAKE = 2n ** 63n - 1n;
/** Of any kind: some old ones are shorter. */
const PLAUSIBLE_ID = /^[1-9]\d{14,18}$/;
/** An account made a moment ago must not be refused because two clocks disagree. */
const CLOCK_SKEW_MS = 60_000;

const MENTION = /^<@!?(\d+)>$/;
const PROFILE_LINK =
  /^(?:https?:\/\/)?(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com\/users\/(\d+)\/?(?:[?#].*)?$/i;
const PROFILE_URI = /^discord:\/\/(?:-\/)?users\/(\d+)\/?$/i;

const refuse = (problem: SnowflakeProblem): ParsedSnowflake => ({ ok: false, problem });

export const extractSnowflakeDigits = (input: string): string => {
  const text = input.trim();
  if (/^\d*$/.test(text)) return text;
  for (const pattern of [MENTION, PROFILE_LINK, PROFILE_URI]) {
    const digits = pattern.exec(text)?.[1];
    if (digits !== undefined) return digits;
  }
  return text;
};

export const parseSnowflake = (input: string, nowMs: number): ParsedSnowflake => {
  const digits = extractSnowflakeDigits(input);
  if (digits === '') return refuse('missing');
  if (/^0+$/.test(digits)) return refuse('zero');
  if (!/^[1-9]\d*$/.test(digits)) return refuse('malformed');
  // The length check keeps BigInt from chewing on megabytes of digits.
  if (digits.length > ID_DIGITS.most || BigInt(digits) > MAX_SNOWFLAKE) return refuse('too-large');
  const id = digits as Snowflake;
  return snowflakeCreatedMs(id) > nowMs + CLOCK_SKEW_MS ? refuse('future') : { ok: true, id };
};

export const parseAccountId = (text: string, nowMs: number): Snowflake | undefined => {
  const parsed = parseSnowflake(text, nowMs);
  return parsed.ok && parsed.id.length >= ID_DIGITS.fewest ? parsed.id : undefined;
};

/** For ids in the platform's own answers, which only have to be safe to pass on. */
export const isPlausibleId = (value: unknown): value is string =>
  typeof value === 'string' && PLAUSIBLE_ID.test(value);

export const snowflakeCreatedMs = (id: Snowflake): number => Number(BigInt(id) >> 22n) + DISCORD_EPOCH_MS;

/** `rest` is worker, process and increment: the lower 22 bits. */
export const composeSnowflake = (createdMs: number, rest: number): Snowflake =>
  String((BigInt(createdMs - DISCORD_EPOCH_MS) << 22n) | BigInt(rest)) as Snowflake;

export const decodeSnowflake = (id: Snowflake) => {
  const bits = BigInt(id);
  return {
    createdMs: snowflakeCreatedMs(id),
    worker: Number((bits >> 17n) & 0x1fn),
    process: Number((bits >> 12n) & 0x1fn),
    increment: Number(bits & 0xfffn),
  };
};
