import type { Snowflake } from '#shared/snowflake.ts';
import type { OptOutStore } from './opt-out-store.ts';

/** People who asked not to be shown. */
export type OptOuts = {
  readonly has: (id: Snowflake) => boolean;
  /** Takes over what the database says. */
  readonly refresh: () => Promise<void>;
};

export type OptOutsDeps = {
  readonly store: Pick<OptOutStore, 'all'>;
  readonly digest: (id: string) => string;
};

export const createOptOuts = ({ store, digest }: OptOutsDeps): OptOuts => {
  let digests: ReadonlySet<string> = new Set();
  return {
    has: (id) => digests.size > 0 && digests.has(digest(id)),
    refresh: async () => {
      digests = new Set((await store.all()).map((row) => row.digest));
    },
  };
};
