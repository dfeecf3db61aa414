import type { Events } from '#server/observability/events.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Clock } from '#server/system.ts';
import { createCheckLink } from './check-link.ts';
import { watchInvites } from './invite-watch.ts';
import type { VanityLinkStore } from './vanity-link-store.ts';
import { createVanityLinks } from './vanity-links.ts';

export type VanityDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: VanityLinkStore;
  readonly events: Events;
};

/** The links that visitors follow, and the watch over where they lead. */
export const createVanity = ({ clock, platform, store, events }: VanityDeps) => {
  const links = createVanityLinks(store);
  const stop = watchInvites({
    clock,
    store,
    checkLink: createCheckLink({ clock, store, platform }),
    onPaused: async (because) => {
      events.vanityLinkPaused(because);
      await links.refresh();
    },
    onFailure: events.requestFailed,
  });
  return { links, stop };
};
