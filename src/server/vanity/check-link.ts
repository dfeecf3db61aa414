import type { VanityLinkRow } from '#server/storage/schema.ts';
import type { Platform } from '#server/platform/platform.ts';
import { isoTime, type Clock } from '#server/system.ts';
import type { PausedLink } from '#shared/site.ts';
import { findInvite } from './invite.ts';
import type { VanityLinkStore } from './vanity-link-store.ts';

export type LinkVerdict = 'good' | 'unclear' | Exclude<PausedLink['because'], 'operator'>;

/**
 * Asks where the invite of a link leads now. A link that leads elsewhere, or nowhere, is paused: an invite that ran
 * out can be taken over by strangers.
 */
export const createCheckLink =
  (clock: Clock, store: VanityLinkStore, platform: Platform) =>
  async (link: VanityLinkRow): Promise<LinkVerdict> => {
    const finding = await findInvite(platform, link.invite_code);
    if (finding.kind === 'unclear') return 'unclear';
    const checked_at = isoTime(clock);
    if (finding.kind === 'found' && finding.guildId === link.guild_id) {
      await store.update(link.name, { checked_at });
      return 'good';
    }
    const paused_because = finding.kind === 'gone' ? 'invite-gone' : 'invite-changed';
    await store.pauseUnchanged(link, { paused_because, checked_at });
    return paused_because;
  };
