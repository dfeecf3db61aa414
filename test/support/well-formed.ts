import { parseConfig, type Config } from '#server/config.ts';
import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';

export const configOf = (env: Readonly<Record<string, string>>): Config => {
  const parsed = parseConfig(env, () => '');
  if (!parsed.ok) throw new TypeError(parsed.problems.join(' '));
  return parsed.config;
};

/** What is wrong with these settings, and with the file if one of them names a file. */
export const problemsOf = (env: Readonly<Record<string, string>>, file = ''): readonly string[] => {
  const parsed = parseConfig(env, () => file);
  return parsed.ok ? [] : parsed.problems;
};

export const tokenOf = (text: string): BotToken => {
  const parsed = parseBotToken(text);
  if (!parsed.ok) throw new TypeError(parsed.problem);
  return parsed.token;
};
