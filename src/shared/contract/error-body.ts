import { Type, type Static } from 'typebox';
import type { ErrorCode } from './errors.ts';

/** Apart from the error table, so that the web can use that without schemas. */
export const ErrorBodySchema = Type.Object(
  {
    error: Type.String({ description: 'What went wrong, for people to read.' }),
    code: Type.Unsafe<ErrorCode>({ type: 'string', description: 'What went wrong, for programs.' }),
    retry_after: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds to wait before trying again.' }),
    ),
  },
  { title: 'Error' },
);

export type ErrorBody = Static<typeof ErrorBodySchema>;
