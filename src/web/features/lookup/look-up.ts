import type { NotFound } from '#shared/contract/profile.ts';
import { askServer, fieldsOf, takeSent, type Failure, type Network, type Unread } from '../../ask-server.ts';
import type { ProvedInput } from '../../proved-request.ts';
import { moment, readProfile, type ProfileAnswer } from '../../read-profile.ts';

export type LookupAnswer =
  | { readonly kind: 'found'; readonly id: string; readonly profile: ProfileAnswer }
  | { readonly kind: 'not-found'; readonly id: string; readonly createdUtc: string | null };

type LookupOptions = { readonly unreachable: string };

export const lookUp = (
  { input: id, proof, unreachable }: ProvedInput & LookupOptions,
  network: Network,
): Promise<LookupAnswer | Failure> => {
  const read = (body: unknown, { ok, status }: Response): LookupAnswer | undefined => {
    if (status === 404) {
      const { created_utc: created }: Unread<NotFound> = fieldsOf(body);
      return { kind: 'not-found', id, createdUtc: moment(created) };
    }
    const profile = ok ? readProfile(body, id, Date.now()) : undefined;
    return profile && { kind: 'found', id, profile };
  };
  const sent = takeSent(proof);
  return askServer(
    {
      path: '/lookup',
      body: { discord_id: id, proof },
      read,
      failed: network.errors.internal ?? '',
      unreachable,
      quoteNetwork: true,
    },
    sent ? { ...network, fetch: () => sent } : network,
  );
};
