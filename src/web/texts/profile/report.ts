/** The lines of the report that is copied as Markdown. */
export const profileReport = {
  id: 'ID',
  kind: 'Account type',
  created: 'Created',
  badges: 'Badges',
  noBadges: 'none',
  server: (id: string) => `server ${id}`,
  avatar: 'Avatar',
  banner: 'Banner',
  source: (time: string, link: string) => `Looked up ${time} with ${link}`,
};

export const accountKinds = {
  user: 'User',
  app: 'App',
  system: 'System account',
  deleted: 'Deleted account',
};
