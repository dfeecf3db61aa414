import { request } from 'undici';
import { createSandbox, type SandboxOptions } from '#sandbox/sandbox.ts';

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: () => Record<string, unknown>;
};

export type Ask = {
  /** null sends no Authorization header. */
  readonly authorization?: string | null;
  readonly userAgent?: string;
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'PUT';
  readonly body?: object;
};

export type SandboxUnderTest = Awaited<ReturnType<typeof startSandbox>>;

const send = async (url: string, ask: Ask & { token: string }): Promise<Reply> => {
  const authorization = ask.authorization === undefined ? `Bot ${ask.token}` : ask.authorization;
  const answer = await request(url, {
    method: ask.method ?? 'GET',
    headers: {
      'user-agent': ask.userAgent ?? 'DiscordBot (https://whoflake.example, 0.1.0)',
      ...(authorization === null ? {} : { authorization }),
      ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
    headersTimeout: 2_000,
    bodyTimeout: 2_000,
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text,
    json: () => JSON.parse(text) as Record<string, unknown>,
  };
};

/** A listening sandbox, with a clock that stands still until a test moves it. */
export const startSandbox = async (options: SandboxOptions = {}) => {
  const clock = { nowMs: Date.UTC(2026, 10, 15, 12) };
  const sandbox = createSandbox({ now: () => clock.nowMs, ...options });
  const { apiUrl, cdnUrl } = await sandbox.listen();
  const token = sandbox.mintToken(0);
  return {
    sandbox,
    apiUrl,
    cdnUrl,
    token,
    clock,
    get: (path: string, ask: Ask = {}): Promise<Reply> =>
      send(path.startsWith('http') ? path : `${apiUrl}${path}`, { ...ask, token }),
    [Symbol.asyncDispose]: sandbox.close,
  };
};
