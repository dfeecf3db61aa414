/** The lines of the report that is copied as Markdown. */
export const profileReport = {
  id: 'ID',
  kind: 'Account type',
  user: 'User',
  app: 'App',
  system: 'System account',
  deleted: 'Deleted account',
  created: 'Created',
  badges: 'Badges',
  noBadges: 'none',
  server: (id: string) => `server ${id}`,
  avatar: 'Avatar',
  banner: 'Banner',
  source: (link: string) => `Looked up with ${link}`,
};
