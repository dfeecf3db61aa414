import type { PausedLink, Site } from '#shared/site.ts';

const REASONS: Readonly<Record<PausedLink['because'], string>> = {
  operator: 'The people who run this site have paused it.',
  'invite-changed': 'Its invite now points to a different server, so we’ve stopped redirecting.',
  'invite-gone': 'Its invite has expired or been deleted.',
};

export const pausedLink = (
  { publicUrl }: Site,
  { name, because }: PausedLink = { name: '', because: 'operator' },
) => ({
  title: 'This link is paused',
  lead: `${new URL(publicUrl).host}/${name} isn’t active right now.`,
  why: {
    title: 'Why',
    texts: [REASONS[because], 'Is it your link? [Contact us](/contact) and we’ll sort it out.'],
  },
});
