import type { NotFound, ProfileAnswer } from '#shared/contract/profile.ts';
import { idFieldName } from '#shared/site.ts';
import { askServer, type Failure, type Network } from '../../ask-server.ts';
import type { Proved } from '../../proved-request.ts';

export type LookupAnswer =
  | { readonly kind: 'found'; readonly id: string; readonly profile: ProfileAnswer }
  | { readonly kind: 'not-found'; readonly id: string; readonly createdUtc: string };

type LookupTerms = {
  readonly platformName: string;
  /** What to say when the server cannot be reached. */
  readonly unreachable: string;
};

/** Asks for the profile behind an id. */
export const lookUp = (
  { input: id, proof, platformName, unreachable }: Proved & LookupTerms,
  network: Network,
): Promise<LookupAnswer | Failure> => {
  const read = (body: unknown, { ok, status }: Response): LookupAnswer | undefined => {
    if (ok && body) {
      // A node of an older version leaves these out.
      const added = { looked_up_at: new Date().toISOString(), pictures: body };
      return { kind: 'found', id, profile: { ...added, ...body } as unknown as ProfileAnswer };
    }
    if (status !== 404 || !body || !Object.hasOwn(body, 'created_utc')) return undefined;
    const { id: askedId, created_utc: createdUtc } = body as NotFound;
    return { kind: 'not-found', id: askedId, createdUtc };
  };
  return askServer(
    {
      path: '/lookup',
      body: { [idFieldName(platformName)]: id, proof },
      read,
      failed: network.errors.internal ?? '',
      unreachable,
      quoteNetwork: true,
    },
    network,
  );
};
