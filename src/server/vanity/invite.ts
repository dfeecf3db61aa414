import { TURN_MS } from '#server/deadlines.ts';
import type { DiscordServer } from '#server/platform/wire/discord-objects.ts';
import type { Platform } from '#server/platform/platform.ts';

const CODE = /^[A-Za-z0-9-]{2,32}$/;
const LINK = /^(?:https?:\/\/)?(?:www\.)?(?:discord\.gg|discord(?:app)?\.com\/invite)\/([^/?#]+)\/?$/i;

/** The code of an invite that was given as a code or as one of the platform's links; null for anything else. */
export const parseInviteCode = (text: string): string | null => {
  const trimmed = text.trim();
  const code = LINK.exec(trimmed)?.[1] ?? trimmed;
  return CODE.test(code) ? code : null;
};

export type InviteFinding =
  | ({ readonly kind: 'found' } & DiscordServer)
  | { readonly kind: 'gone' | 'no-server' }
  /** The platform could not be asked, or gave no usable answer. */
  | { readonly kind: 'unclear' };

/** Asks the platform where an invite leads. Needs no token, but counts towards the pace. */
export const findInvite = async (platform: Platform, code: string): Promise<InviteFinding> => {
  const answer = await (await platform.requestPermit('getInvite', TURN_MS))?.send(code);
  if (answer?.kind !== 'found') return { kind: answer?.kind === 'not-found' ? 'gone' : 'unclear' };
  const { server } = answer.value;
  return server === null ? { kind: 'no-server' } : { kind: 'found', ...server };
};
