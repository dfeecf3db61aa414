import type { PausedLink } from '#shared/site.ts';
import type { VanityLinkRow } from '#server/storage/schema.ts';
import type { Events } from '#server/observability/events.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Clock } from '#server/system.ts';
import { createCheckLink, parseInviteCode, watchInvites } from './invites.ts';
import { storedVanityName } from './vanity-name.ts';
import type { VanityLinkStore } from './vanity-link-store.ts';

type VanityDestination =
  | { readonly kind: 'invite'; readonly url: string }
  | { readonly kind: 'paused'; readonly link: PausedLink };

/** All of them in memory, so that an unknown path costs no query. */
export type VanityLinks = ReturnType<typeof createVanityLinks>;

/** The only place a link of ours ever leads to. What follows it is a code, never an address. */
const INVITE_ORIGIN = 'https://discord.gg/';

export const createVanityLinks = (store: VanityLinkStore) => {
  let links: ReadonlyMap<string, VanityLinkRow> = new Map();
  return {
    follow: (text: string): VanityDestination | undefined => {
      const link = links.get(storedVanityName(text) ?? '');
      if (link === undefined) return undefined;
      return link.paused_because === null
        ? { kind: 'invite', url: INVITE_ORIGIN + link.invite_code }
        : { kind: 'paused', link: { name: link.name, because: link.paused_because } };
    },
    refresh: async (): Promise<void> => {
      const rows = (await store.all()).filter(
        ({ invite_code: code }) => typeof code === 'string' && parseInviteCode(code) === code,
      );
      links = new Map(rows.map((row) => [row.name, row]));
    },
    counts: (): Readonly<Record<'active' | PausedLink['because'], number>> => {
      const counts = { active: 0, operator: 0, 'invite-changed': 0, 'invite-gone': 0 };
      for (const { paused_because } of links.values()) counts[paused_because ?? 'active'] += 1;
      return counts;
    },
  };
};

type VanityDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: VanityLinkStore;
  readonly events: Events;
};

export const createVanity = ({ clock, platform, store, events }: VanityDeps) => {
  const links = createVanityLinks(store);
  const stop = watchInvites({
    clock,
    store,
    checkLink: createCheckLink(clock, store, platform),
    onPaused: async (because) => {
      events.vanityLinkPaused(because);
      await links.refresh();
    },
    onFailure: events.requestFailed,
  });
  return { links, stop };
};
