import type { Events } from '#server/observability/events.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { DiscordServer } from '#server/platform/wire/discord-objects.ts';
import type { VanityLinkRow } from '#server/storage/schema.ts';
import { createRepetition, DAY_MS, isoTime, type Clock } from '#server/system.ts';
import type { PausedLink } from '#shared/site.ts';
import { createVanityLinks, type VanityLinkStore } from './vanity-links.ts';

type InviteFinding =
  | ({ readonly kind: 'found' } & DiscordServer)
  | { readonly kind: 'gone' | 'no-server' | 'unclear' };

export const findInvite = async (platform: Platform, code: string): Promise<InviteFinding> => {
  const answer = await (await platform.requestPermit('getInvite'))?.send(code);
  if (answer?.kind !== 'found') return { kind: answer?.kind === 'not-found' ? 'gone' : 'unclear' };
  const { server } = answer.value;
  return server === null ? { kind: 'no-server' } : { kind: 'found', ...server };
};

type LinkVerdict = 'good' | 'unclear' | Exclude<PausedLink['because'], 'operator'>;

/** An invite that ran out can be taken over by strangers. */
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

/** A link that nothing could be learned about must not keep the others waiting. */
const TRY_AGAIN_MS = 3_600_000;
/** One link at a time and never two within a minute: lookups come first. */
const PACE_MS = 60_000;

type VanityDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: VanityLinkStore;
  readonly events: Events;
};

/** The links, and the watch over their invites. */
export const createVanity = ({ clock, platform, store, events }: VanityDeps) => {
  const links = createVanityLinks(store);
  const checkLink = createCheckLink(clock, store, platform);
  const triedMs = new Map<string, number>();

  const checkMostOverdue = async (): Promise<void> => {
    const before = new Date(clock.wallMs() - DAY_MS).toISOString();
    const nowMs = clock.monotonicMs();
    const wasTried = (name: string): boolean => nowMs - (triedMs.get(name) ?? -Infinity) < TRY_AGAIN_MS;
    const [due] = (await store.all())
      .filter((link) => link.paused_because === null && link.checked_at < before && !wasTried(link.name))
      .sort((a, b) => a.checked_at.localeCompare(b.checked_at));
    if (due === undefined) return;
    triedMs.set(due.name, nowMs);
    const verdict = await checkLink(due);
    if (verdict === 'good' || verdict === 'unclear') return;
    events.vanityLinkPaused(verdict);
    await links.refresh();
  };
  const checks = createRepetition({
    clock,
    work: () => checkMostOverdue().catch(events.requestFailed),
    restMs: () => PACE_MS,
  });
  checks.start();
  return { links, stop: checks.stop };
};
