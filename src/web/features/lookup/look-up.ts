import type { NotFound } from '#shared/contract/profile.ts';
import { askServer, fieldsOf, type Failure, type Network, type Unread } from '../../ask-server.ts';
import type { ProvedInput } from '../../proved-request.ts';
import { moment, readProfile, type ProfileAnswer } from '../../read-profile.ts';

export type LookupAnswer =
  | { readonly kind: 'found'; readonly id: string; readonly profile: ProfileAnswer }
  | { readonly kind: 'not-found'; readonly id: string; readonly createdUtc: string | null };

const foundIn = (body: unknown, id: string): LookupAnswer | undefined => {
  const profile = readProfile(body, id, Date.now());
  return profile && { kind: 'found', id, profile };
};

/** As the browser has kept it in its history, perhaps by another version of the page. */
export const readAnswer = (kept: unknown, id: string): LookupAnswer | undefined => {
  const { kind, id: ofId, profile, createdUtc } = fieldsOf(kept);
  if (ofId !== id) return undefined;
  return kind === 'not-found' ? { kind, id, createdUtc: moment(createdUtc) } : foundIn(profile, id);
};

type LookupOptions = { readonly unreachable: string };

export const lookUp = (
  { input: id, proof, unreachable }: ProvedInput & LookupOptions,
  network: Network,
): Promise<LookupAnswer | Failure> => {
  const read = (body: unknown, { ok, status }: Response): LookupAnswer | undefined => {
    if (status !== 404) return ok ? foundIn(body, id) : undefined;
    const { created_utc: created }: Unread<NotFound> = fieldsOf(body);
    return { kind: 'not-found', id, createdUtc: moment(created) };
  };
  return askServer(
    {
      path: '/lookup',
      body: { discord_id: id, proof },
      read,
      failed: network.errors.internal ?? '',
      unreachable,
      quoteNetwork: true,
    },
    network,
  );
};
