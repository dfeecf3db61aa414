import { callOutcome } from '#server/platform/call-outcome.ts';
import type { DiscordClient } from '#server/platform/discord-client.ts';
import type { DiscordInvite } from '#server/platform/discord-invite.ts';
import type { Clock } from '#server/system.ts';
import type { EgressGate } from '#server/platform/egress-gate.ts';

export type InviteFinding =
  | ({ readonly kind: 'found' } & DiscordInvite)
  | { readonly kind: 'gone' }
  /** The platform could not be asked, or gave no usable answer. */
  | { readonly kind: 'unclear' };

/** Asks the platform where an invite leads. It takes no token, but it counts towards what leaves for the platform. */
export type FindInvite = (code: string) => Promise<InviteFinding>;

export type FindInviteDeps = {
  readonly clock: Clock;
  readonly client: Pick<DiscordClient, 'getInvite'>;
  readonly gate: EgressGate;
};

export const createFindInvite =
  ({ clock, client, gate }: FindInviteDeps): FindInvite =>
  async (code) => {
    const nowMs = clock.monotonicMs();
    if (gate.freeAtMs(nowMs) > nowMs) return { kind: 'unclear' };
    gate.sent(nowMs);
    const answer = await client.getInvite(code);
    gate.settled(callOutcome(answer), clock.monotonicMs());
    if (answer.kind === 'found') return { kind: 'found', ...answer.value };
    return { kind: answer.kind === 'not-found' ? 'gone' : 'unclear' };
  };
