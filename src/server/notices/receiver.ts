/** What the operator is told: nothing secret, and nothing about visitors. */
export type Notice = {
  readonly event: string;
  readonly state: 'problem' | 'over' | 'news';
  readonly text: string;
  readonly site: string;
  readonly server: string;
  readonly at: string;
};

type Message = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

const json = (body: object): Message => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const PATIENCE_MS = 10_000;
const MARKS = { problem: '🔴', over: '🟢', news: '🔵' } as const;

export const messageFor = (url: URL, notice: Notice): Message => {
  const { text, site, server, state } = notice;
  const line = `${MARKS[state]} ${site} (${server}): ${text}`;
  const { hostname, pathname } = url;
  if (/(?:^|\.)discord(?:app)?\.com$/.test(hostname) && pathname.startsWith('/api/webhooks/'))
    return json({ content: line, allowed_mentions: { parse: [] } });
  if (hostname === 'hooks.slack.com') return json({ text: line });
  if (/^ntfy(?:\.|$)/.test(hostname))
    return {
      body: line,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        priority: state === 'problem' ? 'high' : 'default',
      },
    };
  return json(notice);
};

/** Resolves with null once the receiver has taken it, else with why not: never with a part of the address. */
export const sendNotice = async (address: string, notice: Notice): Promise<string | null> => {
  const url = new URL(address);
  const { body, headers } = messageFor(url, notice);
  const { username, password } = url;
  Object.assign(url, { username: '', password: '' });
  try {
    const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    // oxlint-disable-next-line no-restricted-globals -- the operator named this address
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        ...headers,
        'user-agent': 'Whoflake',
        ...(login.length > 1 && { authorization: `Basic ${login.toString('base64')}` }),
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `it answers with status ${response.status}`;
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: NodeJS.ErrnoException };
    return `it cannot be reached (${cause?.code ?? name})`;
  }
};
