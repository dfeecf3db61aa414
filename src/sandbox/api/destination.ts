const ROUTES = [
  ['users/@me', /^v10\/users\/@me$/],
  ['users/{id}', /^v10\/users\/([^/]+)$/],
  ['applications/@me', /^v10\/applications\/@me$/],
  ['invites/{code}', /^v10\/invites\/([^/]+)$/],
  ['gateway', /^v10\/gateway$/],
] as const;

export type RouteName = (typeof ROUTES)[number][0] | 'other';

export type Destination = {
  readonly route: RouteName;
  /** What stands for `{id}` or `{code}`. */
  readonly key: string;
};

/** Some clients percent-encode `@me`, so a path is decoded before it is matched. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

export const destinationOf = (path: string): Destination => {
  for (const [route, pattern] of ROUTES) {
    const match = pattern.exec(decoded(path));
    if (match !== null) return { route, key: match[1] ?? '' };
  }
  return { route: 'other', key: '' };
};
