export const profileCard = {
  pause: 'Pause',
  play: 'Play',
  avatarOf: (name: string) => `Avatar of ${name}`,
  bannerOf: (name: string) => `Banner of ${name}`,
  opensInNewTab: 'Opens in a new tab',
  copyLink: 'Copy link',
  openInDiscord: 'Open in Discord',
};

export const profileNames = {
  copyTitle: 'Copy display name',
  copyUsername: 'Copy username',
  deleted: 'This account was deleted.',
  app: 'App',
  system: 'System',
  verified: 'Verified',
  badges: 'Flags',
};

/** Names that look like another one. What is odd about them follows. */
export const oddNames = {
  characters: 'Hidden characters:',
  direction: 'Hidden characters that change the reading direction:',
  mixed: 'Letters of different alphabets:',
  lettersOf: (script: string, letters: readonly string[]) =>
    `${letters.join(' ')} (${new Intl.DisplayNames('en', { type: 'script' }).of(script)})`,
};

export const guildNames = {
  clan: 'Clan',
  primaryGuild: 'Primary Guild',
  both: 'Clan and Primary Guild',
};

export const profileFacts = {
  created: 'Created',
  ago: (age: string) => `${age} ago`,
  copyDate: 'Copy date',
  copyDateAs: (form: string, text: string) => `${form}: ${text}`,
  dateForms: { date: 'Discord date', age: 'Discord relative time', unix: 'Unix time', utc: 'ISO 8601' },
  id: 'ID',
  copyId: 'Copy ID',
};

export const profileColors = {
  accent: (color: string) => `Copy accent colour ${color}`,
  banner: (color: string) => `Copy banner colour ${color}`,
  both: (color: string) => `Copy accent and banner colour ${color}`,
};

export const profileDetails = {
  title: 'Details',
  whyMissing: 'Why no bio or Nitro badge?',
  id: 'ID',
  publicFlags: 'Public flags',
  flags: 'Flags',
  noFlags: 'None',
  server: (id: string) => `server ${id}`,
  copyServerId: 'Copy server ID',
  json: 'Raw JSON',
  copyJson: 'Copy JSON',
};

export const profileExport = {
  title: 'Export',
  image: 'Save as image',
  json: 'Save as JSON',
  markdown: 'Copy as Markdown',
  share: 'Share…',
  imageSaved: 'Image saved.',
  imageWithoutPictures: 'Image saved, but some pictures didn’t load and are missing from it.',
  jsonSaved: 'JSON saved.',
  markdownCopied: 'Report copied.',
  failed: 'That didn’t work. Please try again.',
};
