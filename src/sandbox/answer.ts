export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** How the network damages it on the way. `dripMs` is the pause after each byte. */
  readonly delivery?: 'hang' | 'reset' | 'truncate' | { readonly dripMs: number };
};

/** What Discord's front end adds to every answer of Discord itself. */
const ORIGIN_HEADERS = { 'content-type': 'application/json', via: '1.1 google', server: 'cloudflare' };

export const jsonAnswer = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, headers: { ...ORIGIN_HEADERS, ...headers }, body });

/** An answer made at the edge: it never reached the platform, so it carries no `via`. */
export const edgeAnswer = (status: number, contentType: string, body: string | Buffer): Answer => ({
  status,
  headers: { 'content-type': contentType, server: 'cloudflare' },
  body,
});

export const withHeaders = (answer: Answer, headers: Readonly<Record<string, string>>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});
