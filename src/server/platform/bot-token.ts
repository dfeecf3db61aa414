import { inspect } from 'node:util';

/** A string that does not print itself: not in logs, not in JSON, not in an inspected object. */
export type Secret = {
  readonly reveal: () => string;
  readonly toString: () => string;
  readonly toJSON: () => string;
  readonly [inspect.custom]: () => string;
};

export type BotToken = { readonly botId: string; readonly secret: Secret };

export type ParsedBotToken =
  | { readonly ok: true; readonly token: BotToken }
  | { readonly ok: false; readonly problem: 'empty' | 'user-token' | 'not-a-token' };

const SHAPE = /^([\w-]{22,28})\.[\w-]{6,7}\.[\w-]{27,38}$/;

const redacted = (): string => '[redacted]';

export const createSecret = (value: string): Secret => ({
  reveal: () => value,
  toString: redacted,
  toJSON: redacted,
  [inspect.custom]: redacted,
});

/** Offline check of the three dotted parts; the first is the bot's own id in base64url. */
export const parseBotToken = (input: string): ParsedBotToken => {
  const text = input.trim().replace(/^Bot(?:\s+|$)/i, '');
  if (text === '') return { ok: false, problem: 'empty' };
  if (text.startsWith('mfa.')) return { ok: false, problem: 'user-token' };
  const idPart = SHAPE.exec(text)?.[1];
  if (idPart === undefined) return { ok: false, problem: 'not-a-token' };
  const botId = Buffer.from(idPart, 'base64url').toString('latin1');
  if (!/^[1-9]\d{14,18}$/.test(botId)) return { ok: false, problem: 'not-a-token' };
  return { ok: true, token: { botId, secret: createSecret(text) } };
};
