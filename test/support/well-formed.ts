import { parseConfig, type Config } from '#server/config.ts';
import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';

export const configOf = (env: Readonly<Record<string, string>>): Config => {
  const parsed = parseConfig(env, () => '');
  if (!parsed.ok) throw new TypeError(parsed.problems.join(' '));
  return parsed.config;
};

export const tokenOf = (text: string): BotToken => {
  const parsed = parseBotToken(text);
  if (!parsed.ok) throw new TypeError(parsed.problem);
  return parsed.token;
};
