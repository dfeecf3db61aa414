import type { VanityLinkRow } from '#server/storage/schema.ts';
import type { Clock } from '#server/system.ts';
import type { PausedLink } from '#shared/site.ts';
import type { FindInvite } from './find-invite.ts';
import type { VanityLinkStore } from './vanity-link-store.ts';

/** What a check of a link's invite came to. */
export type LinkVerdict = 'good' | 'unclear' | Exclude<PausedLink['because'], 'operator'>;

/**
 * Asks where the invite of a link leads now. A link that leads elsewhere, or nowhere, is paused: an invite that ran
 * out can be taken over by strangers.
 */
export type CheckLink = (link: VanityLinkRow) => Promise<LinkVerdict>;

export type CheckLinkDeps = {
  readonly clock: Clock;
  readonly store: Pick<VanityLinkStore, 'update'>;
  readonly findInvite: FindInvite;
};

export const createCheckLink =
  ({ clock, store, findInvite }: CheckLinkDeps): CheckLink =>
  async ({ name, invite_code, guild_id, paused_because }) => {
    const finding = await findInvite(invite_code);
    if (finding.kind === 'unclear') return 'unclear';
    const checked_at = new Date(clock.wallMs()).toISOString();
    const verdict =
      finding.kind === 'gone' ? 'invite-gone' : finding.guildId === guild_id ? 'good' : 'invite-changed';
    // A good invite does not undo what the operator has paused.
    await store.update(name, { checked_at, paused_because: verdict === 'good' ? paused_because : verdict });
    return verdict;
  };
