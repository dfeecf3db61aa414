import type { NotFound, ProfileAnswer } from '#shared/contract/profile.ts';
import { UNEXPECTED_ERROR } from '#shared/sentences.ts';
import { idFieldName } from '#shared/site.ts';
import { LOOKUP_FAILED } from '../../texts/lookup/page.ts';
import { askServer, type Failure, type Network } from '../../ask-server.ts';
import type { Proved } from '../../proved-request.ts';

export type LookupAnswer =
  | { readonly kind: 'found'; readonly id: string; readonly profile: ProfileAnswer }
  | { readonly kind: 'not-found'; readonly id: string; readonly createdUtc: string };

/** Asks for the profile behind an id. */
export const lookUp = (
  { input: id, proof, platformName }: Proved & { readonly platformName: string },
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
      failed: UNEXPECTED_ERROR,
      unreachable: LOOKUP_FAILED,
      quoteNetwork: true,
    },
    network,
  );
};
