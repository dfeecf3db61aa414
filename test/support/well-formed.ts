import { parseConfig, type Config } from '#server/config.ts';
import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';

/** The settings in these variables, which must be valid. */
export const configOf = (env: Readonly<Record<string, string>>): Config => {
  const parsed = parseConfig(env, () => '');
  if (!parsed.ok) throw new TypeError(parsed.problems.join(' '));
  return parsed.config;
};

/** The token in this text, which must be one. */
export const tokenOf = (text: string): BotToken => {
  const parsed = parseBotToken(text);
  if (!parsed.ok) throw new TypeError(parsed.problem);
  return parsed.token;
};
