import { inspect } from 'node:util';
import { readBotTokenShape, type BotTokenProblem } from '#shared/bot-token-shape.ts';

export type Secret = Readonly<ReturnType<typeof createSecret>>;

export type BotToken = { readonly botId: string; readonly secret: Secret };

type ParsedBotToken =
  | { readonly ok: true; readonly token: BotToken }
  | { readonly ok: false; readonly problem: BotTokenProblem };

const redacted = (): string => '[redacted]';

export const createSecret = (value: string) => ({
  reveal: () => value,
  toString: redacted,
  toJSON: redacted,
  [inspect.custom]: redacted,
});

export const parseBotToken = (input: string): ParsedBotToken => {
  const shape = readBotTokenShape(input);
  return shape.ok ? { ok: true, token: { botId: shape.botId, secret: createSecret(shape.text) } } : shape;
};
