import { isRecord } from './discord-objects.ts';

/** The fields of a user object that we read, or know and leave alone. */
const KNOWN = new Set(
  (
    'id username bot system discriminator global_name avatar banner accent_color public_flags flags primary_guild ' +
    'clan avatar_decoration_data collectibles collectibles.nameplate display_name_styles banner_color premium_type'
  ).split(' '),
);
/** What is called otherwise is not a name of the platform's. */
const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const MAX_NAMES = 20;

export type UnknownFields = ReturnType<typeof createUnknownFields>;

/** Names of fields that the platform sends and we do not know, never their values: something new to show, perhaps. */
export const createUnknownFields = () => {
  const found = new Set<string>();
  const look = (value: unknown, prefix: string): void => {
    if (!isRecord(value)) return;
    for (const name of Object.keys(value))
      if (found.size < MAX_NAMES && !KNOWN.has(prefix + name) && NAME.test(name)) found.add(prefix + name);
  };
  return {
    seeUser: (body: unknown): void => {
      look(body, '');
      if (isRecord(body)) look(body['collectibles'], 'collectibles.');
    },
    names: (): readonly string[] => [...found].toSorted(),
  };
};
