const ROUTES = [
  ['users/@me', /^users\/@me$/],
  ['users/{id}', /^users\/([^/]+)$/],
  ['applications/@me', /^applications\/@me$/],
  ['oauth2/applications/@me', /^oauth2\/applications\/@me$/],
  ['invites/{code}', /^invites\/([^/]+)$/],
  ['gateway', /^gateway$/],
  ['gateway/bot', /^gateway\/bot$/],
] as const;

export type RouteName = (typeof ROUTES)[number][0] | 'other';

/** Where a path after `/api/`, such as `v10/users/@me`, leads. */
export type Destination = {
  readonly version: number;
  readonly route: RouteName;
  /** What stands for `{id}` or `{code}`. */
  readonly key: string;
};

const OLDEST_VERSION = 6;
const NEWEST_VERSION = 10;

export const isRouteName = (name: string): name is RouteName =>
  name === 'other' || ROUTES.some(([route]) => route === name);

export const isServed = (version: number): boolean => version >= OLDEST_VERSION && version <= NEWEST_VERSION;

/** Some clients percent-encode `@me`, so a path is decoded before it is matched. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

export const destinationOf = (path: string): Destination => {
  const [, version, rest = ''] = /^(?:v(\d+)\/)?(.*)$/s.exec(decoded(path)) ?? [];
  for (const [route, pattern] of ROUTES) {
    const match = pattern.exec(rest);
    if (match !== null) return { version: Number(version ?? OLDEST_VERSION), route, key: match[1] ?? '' };
  }
  return { version: Number(version ?? OLDEST_VERSION), route: 'other', key: '' };
};
