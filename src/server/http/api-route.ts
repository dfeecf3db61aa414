import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { AppError } from '#server/app-error.ts';
import { ErrorBodySchema } from '#shared/contract/error-body.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { isRecord } from '#shared/json.ts';
import { API_METHODS, type ApiPath } from '#shared/paths.ts';

export type ApiOperation = {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: TObject;
  /** The title of a schema is its name in the OpenAPI document. */
  readonly answers: Readonly<Record<number, TSchema>>;
  readonly errors: readonly ErrorCode[];
};

export const GET_ERRORS = ['bad-request', 'internal', 'overloaded'] as const satisfies ErrorCode[];
export const POST_ERRORS = [
  ...GET_ERRORS,
  'body-too-large',
  'captcha-unavailable',
  'cross-site',
  'proof-expired',
  'proof-invalid',
  'proof-used',
  'store-unavailable',
  'unsupported-media-type',
  'visitor-limit',
] as const satisfies ErrorCode[];

/** Exactly these: parsers disagree about what else counts as JSON, which is how checks are bypassed. */
const JSON_TYPES = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);

export const apiRoute = (path: ApiPath, operation: ApiOperation) => ({
  method: API_METHODS[path],
  url: path,
  config: { operation },
  schema: {
    response: { '4xx': ErrorBodySchema, '5xx': ErrorBodySchema, ...operation.answers },
    ...(operation.body !== undefined && { body: operation.body }),
  },
  ...(operation.body !== undefined && { onRequest: jsonFromSameOrigin }),
});

/** The handler checks for missing strings, so that each gets the sentence that the screen shows. */
export const compileBody =
  ({ schema }: { readonly schema: TObject }) =>
  (body: unknown) =>
    isRecord(body) &&
    Object.entries(body).every(
      ([name, value]) => Object.hasOwn(schema.properties, name) && typeof value === 'string',
    )
      ? { value: body }
      : { error: new AppError('bad-request') };

type AnswerSchema = {
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  readonly items?: AnswerSchema;
  readonly anyOf?: readonly AnswerSchema[];
};

/** What the contract does not name goes to nobody, whatever a handler returns. */
export const allowListSerializer =
  ({ schema }: { readonly schema: AnswerSchema }) =>
  (answer: unknown): string =>
    JSON.stringify(pick(answer, schema));

const pick = (value: unknown, { properties, items, anyOf }: AnswerSchema): unknown => {
  if (Array.isArray(value)) return items && value.map((item) => pick(item, items));
  if (!isRecord(value)) return value;
  const named = properties ?? anyOf?.find((option) => option.properties)?.properties ?? {};
  return Object.fromEntries(Object.entries(named).map(([name, field]) => [name, pick(value[name], field)]));
};

type OnRequest = (request: FastifyRequest, reply: unknown, done: (error?: Error) => void) => void;

/** A page of another site could use up its visitors' allowance, though it cannot read the answer. */
export const onlyFromOwnSite: OnRequest = ({ headers }, _reply, done) =>
  done(isFromOwnSite(headers) ? undefined : new AppError('cross-site'));

const jsonFromSameOrigin: OnRequest = ({ headers }, _reply, done) => {
  if (!isFromOwnSite(headers)) return done(new AppError('cross-site'));
  const isJson = JSON_TYPES.has(headers['content-type']?.toLowerCase() ?? '');
  done(isJson ? undefined : new AppError('unsupported-media-type'));
};

/** Browsers say where a request comes from; other clients do not. `same-site` would be another host of our domain. */
const OWN_SITES = new Set<IncomingHttpHeaders[string]>([undefined, 'same-origin', 'none']);

const isFromOwnSite = ({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean => OWN_SITES.has(site);

export const createOriginCheck = (publicUrl: string): ((headers: IncomingHttpHeaders) => boolean) => {
  const { origin: publicOrigin, hostname } = new URL(publicUrl);
  return ({ origin, host, 'sec-fetch-site': site }) => {
    if (origin === undefined || origin === publicOrigin) return true;
    if (host === undefined || !isOwnHost(host, hostname)) return false;
    const isOfHost = origin === `http://${host}` || origin === `https://${host}`;
    // Some browsers hide the origin, but still say that it is ours.
    return isOfHost || (origin === 'null' && site === 'same-origin');
  };
};

/** A website whose name was made to lead here would otherwise act and read through a browser on this network. */
export const isOwnHost = (header: string | undefined, ownHost: string): boolean => {
  if (header === undefined) return true;
  const name = header.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  return isIP(name) !== 0 || ['localhost', ownHost.toLowerCase()].includes(name.toLowerCase());
};
