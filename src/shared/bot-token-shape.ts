import { isPlausibleId } from './snowflake.ts';

export type BotTokenProblem = 'empty' | 'user-token' | 'not-a-token';

type BotTokenShape =
  | { readonly ok: true; readonly text: string; readonly botId: string }
  | { readonly ok: false; readonly problem: BotTokenProblem };

const SHAPE = /^([\w-]{22,28})\.[\w-]{6,7}\.[\w-]{27,38}$/;

const decode = (base64: string): string => {
  try {
    return atob(base64);
  } catch {
    return '';
  }
};

/** Offline check of the three dotted parts; the first is the bot's own id in base64. */
export const readBotTokenShape = (input: string): BotTokenShape => {
  const text = input.trim().replace(/^Bot(?:\s+|$)/i, '');
  if (text === '') return { ok: false, problem: 'empty' };
  if (text.startsWith('mfa.')) return { ok: false, problem: 'user-token' };
  const botId = decode(SHAPE.exec(text)?.[1] ?? '');
  return isPlausibleId(botId) ? { ok: true, text, botId } : { ok: false, problem: 'not-a-token' };
};
