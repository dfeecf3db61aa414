import { hash } from 'node:crypto';
import { LEAP_MS } from './redis-clock.ts';
import type { Reply } from './redis-connection.ts';

/**
 * Runs inside Redis, in one step. Its keys and arguments have the same names in TypeScript and in Lua. It is named by
 * its content, so two versions of us do not get in each other's way.
 */
export type Script<Key extends string, Arg extends string, Result> = {
  readonly lua: string;
  readonly sha: string;
  readonly keys: readonly Key[];
  readonly args: readonly Arg[];
  /** Needs the time that the node expects as its last argument. */
  readonly isTimed: boolean;
  readonly read: (reply: Reply) => Result;
};

export type ScriptDefinition<Key extends string, Arg extends string, Result> = {
  readonly keys: readonly Key[];
  readonly args: readonly Arg[];
  /** It sees Redis's time as `now`, and does not run while that is not what the node expects. */
  readonly timed?: true;
  /** Lua functions that several scripts share; they see neither keys nor arguments. */
  readonly functions?: string;
  /** Sees each key and argument as a local of that name, and what a call adds as the lists `moreKeys` and `moreArgs`. */
  readonly lua: string;
  readonly reply: (reply: Reply) => Result;
};

/** What a call passes: every key and argument by its name, and lists whose length only the caller knows. */
export type ScriptInput<Key extends string, Arg extends string> = {
  readonly keys: Readonly<Record<Key, string>>;
  readonly args: Readonly<Record<Arg, string | number>>;
  readonly moreKeys?: readonly string[];
  readonly moreArgs?: readonly (string | number)[];
};

/** The first word of a reply that says so. */
export const CLOCK_ERROR = 'CLOCK';

/** Redis's clock holds for all nodes. Times go in and out as text: Redis would cut Lua's own numbers to integers. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
if math.abs(now - table.remove(ARGV)) > ${LEAP_MS} then return redis.error_reply('${CLOCK_ERROR} leapt') end
local function ms(value) return string.format('%.3f', value) end`;

export const defineScript = <const Key extends string, const Arg extends string, Result>(
  definition: ScriptDefinition<Key, Arg, Result>,
): Script<Key, Arg, Result> => {
  const { keys, args, timed = false, functions = '', lua, reply } = definition;
  const names = [bind('KEYS', 'moreKeys', keys), bind('ARGV', 'moreArgs', args)];
  const text = [...(timed ? [NOW] : []), functions, ...names, lua].join('\n');
  return { lua: text, sha: hash('sha1', text), keys, args, isTimed: timed, read: reply };
};

const bind = (list: string, rest: string, names: readonly string[]): string =>
  [
    ...names.map((name, index) => `local ${name} = ${list}[${index + 1}]`),
    `local ${rest} = {unpack(${list}, ${names.length + 1})}`,
  ].join('\n');

/** The arguments of `EVALSHA` after the script's name. */
export const scriptWords = <Key extends string, Arg extends string>(
  { keys, args }: Pick<Script<Key, Arg, unknown>, 'keys' | 'args'>,
  { keys: keyed, args: given, moreKeys = [], moreArgs = [] }: ScriptInput<Key, Arg>,
): string[] => [
  `${keys.length + moreKeys.length}`,
  ...keys.map((name) => keyed[name]),
  ...moreKeys,
  ...args.map((name) => String(given[name])),
  ...moreArgs.map(String),
];
