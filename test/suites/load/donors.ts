import type { StoredTokens } from '#test/attacks/stored-tokens.ts';
import type { Dice } from '#test/attacks/dice.ts';
import type { Answer, Visitors } from './visitors.ts';

/** What the server has answered about a token; open is what it was asked and has not answered. */
type Acknowledged = 'donated' | 'withdrawn' | 'refused' | 'open';

export type Donors = ReturnType<typeof createDonors>;

type DonorsDeps = {
  readonly visitors: Visitors;
  readonly dice: Dice;
  readonly tokens: readonly string[];
  /** How long a donor waits before taking the token back; not at all unless given. */
  readonly beforeWithdrawal?: () => Promise<void>;
};

export const createDonors = ({ visitors, dice, tokens, beforeWithdrawal }: DonorsDeps) => {
  const ledger = new Map<string, Acknowledged>();
  /** When each withdrawal was acknowledged, by token; in milliseconds since the Unix epoch. */
  const withdrawn = new Map<string, number>();

  const ask = (path: string, body: object): Promise<Answer> => visitors.next().ask(path, body);

  return {
    /** One donor gives a token and, half of the time, takes it back. */
    come: async (): Promise<void> => {
      const token = tokens[ledger.size];
      if (token === undefined) throw new Error('All tokens were given.');
      ledger.set(token, 'open');
      const donation = await ask('/donate-token', { token });
      if (donation.status !== 201) return void ledger.set(token, 'refused');
      ledger.set(token, 'donated');
      if (dice.chance(0.5)) return;
      await beforeWithdrawal?.();
      ledger.set(token, 'open');
      const { receipt } = donation.body;
      const withdrawal = await ask('/withdraw-token', dice.chance(0.5) ? { token } : { receipt });
      if (withdrawal.status !== 200) return;
      ledger.set(token, 'withdrawn');
      withdrawn.set(token, Date.now());
    },
    acknowledged: () =>
      [...ledger.values()].filter((state) => state === 'donated' || state === 'withdrawn').length,
    withdrawn,
    /** How many acknowledgements what is stored does not bear out. */
    broken: ({ kept, unreadable, retired }: StoredTokens): number => {
      const states = [...ledger];
      const missing = states.filter(([token, state]) => state === 'donated' && !kept.has(token)).length;
      const back = states.filter(([token, state]) => state === 'withdrawn' && kept.has(token)).length;
      const uninvited = states.filter(([token, state]) => state === 'refused' && kept.has(token)).length;
      // What the platform itself has taken is not lost by us.
      return Math.max(0, missing - retired) + back + uninvited + unreadable;
    },
  };
};
