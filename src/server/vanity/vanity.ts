import type { Events } from '#server/observability/events.ts';
import { createCheckLink } from './check-link.ts';
import { createFindInvite, type FindInviteDeps } from './find-invite.ts';
import { watchInvites } from './invite-watch.ts';
import type { VanityLinkStore } from './vanity-link-store.ts';
import { createVanityLinks, type VanityLinks } from './vanity-links.ts';

export type VanityDeps = FindInviteDeps & {
  readonly store: VanityLinkStore;
  readonly events: Pick<Events, 'vanityLinkPaused' | 'requestFailed'>;
};

/** The links that visitors follow, and the watch over where they lead. */
export type Vanity = { readonly links: VanityLinks; readonly stop: () => void };

export const createVanity = (deps: VanityDeps): Vanity => {
  const { clock, store, events } = deps;
  const links = createVanityLinks(store);
  const stop = watchInvites({
    clock,
    store,
    checkLink: createCheckLink({ clock, store, findInvite: createFindInvite(deps) }),
    onPaused: async (because) => {
      events.vanityLinkPaused(because);
      await links.refresh();
    },
    onFailure: events.requestFailed,
  });
  return { links, stop };
};
