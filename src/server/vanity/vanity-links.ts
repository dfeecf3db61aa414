import type { Events } from '#server/observability/events.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { DiscordServer } from '#server/platform/wire/discord-objects.ts';
import type { Database } from '#server/storage/database.ts';
import type { VanityLinkRow } from '#server/storage/schema.ts';
import { insertNew } from '#server/storage/sql-dialect.ts';
import { createRepetition, DAY_MS, HOUR_MS, isoTime, type Clock } from '#server/system.ts';
import { API_METHODS, PAGE_PATHS, PICTURE_PATH } from '#shared/paths.ts';
import type { PausedLink } from '#shared/site.ts';

const CODE = /^[A-Za-z0-9-]{2,32}$/;
const LINK = /^(?:https?:\/\/)?(?:www\.)?(?:discord\.gg|discord(?:app)?\.com\/invite)\/([^/?#]+)\/?$/i;

export const parseInviteCode = (text: string): string | null => {
  const trimmed = text.trim();
  const code = LINK.exec(trimmed)?.[1] ?? trimmed;
  return CODE.test(code) ? code : null;
};

export type VanityLinkStore = ReturnType<typeof createVanityLinkStore>;

export const createVanityLinkStore = (db: Database) => ({
  all: () => db.selectFrom('vanity_link').selectAll().orderBy('name').execute(),
  find: (name: string) =>
    db.selectFrom('vanity_link').selectAll().where('name', '=', name).executeTakeFirst(),
  add: async (row: VanityLinkRow): Promise<boolean> => (await insertNew(db, 'vanity_link', [row])) === 1,
  update: (name: string, change: Partial<Omit<VanityLinkRow, 'name'>>) =>
    db.updateTable('vanity_link').set(change).where('name', '=', name).execute(),
  pauseUnchanged: (
    { name, invite_code, guild_id }: VanityLinkRow,
    pause: Pick<VanityLinkRow, 'paused_because' | 'checked_at'>,
  ) =>
    db
      .updateTable('vanity_link')
      .set(pause)
      .where((where) => where.and({ name, invite_code, guild_id }))
      .where('paused_because', 'is', null)
      .execute(),
  remove: (name: string) => db.deleteFrom('vanity_link').where('name', '=', name).execute(),
});

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

type ParsedVanityName =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly problem: 'malformed' | 'digits-only' | 'reserved' };

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])$/;

/** Names that no route has, but that people would take for ours, or that we may need one day. */
const RESERVED_WORDS = (
  'about account admin api app assets auth blog cdn docs faq help home imprint invite legal login logout mail metrics oauth official ' +
  'ops readyz livez register root security settings signup static support system terms user users vanity well-known www'
).split(' ');

const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...[...PAGE_PATHS, PICTURE_PATH, ...Object.keys(API_METHODS)].map((path) => path.split(/[/.]/)[1] ?? ''),
  ...RESERVED_WORDS,
]);

/** A language, alone or with a script or a region, as in `pt-br`: pages in any may come one day. */
const LANGUAGE = /^[a-z]{2}(?:-(?:arab|cyrl|deva|hans|hant|latn|[a-z]{2}))?$/;

export const storedVanityName = (text: string): string | undefined =>
  // Tested as it is: some letters that are not ours become ours in lower case.
  NAME.test(text) ? text.toLowerCase() : undefined;

/** For a new link. What is reserved may grow, and takes nothing from those that exist. */
export const parseVanityName = (text: string): ParsedVanityName => {
  const name = storedVanityName(text);
  if (name === undefined) return { ok: false, problem: 'malformed' };
  if (/^\d+$/.test(name)) return { ok: false, problem: 'digits-only' };
  return RESERVED_NAMES.has(name) || LANGUAGE.test(name)
    ? { ok: false, problem: 'reserved' }
    : { ok: true, name };
};

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
const TRY_AGAIN_MS = HOUR_MS;
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
