import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type StaticFile = {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly policy?: string;
  readonly identity: EncodedBody;
  readonly br?: EncodedBody;
  readonly gzip?: EncodedBody;
};

type EncodedBody = { readonly bytes: Buffer; readonly etag: string };

type ContentCoding = 'br' | 'gzip' | 'identity';

/** Browsers keep it, and ask each time whether it has changed. */
export const NO_CACHE = 'no-cache';
export const FOREVER = 'public, max-age=31536000, immutable';

/** A tenth larger than at 11, in a fiftieth of the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const ACCEPTED = {
  br: /(?:^|,)\s*br\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i,
  gzip: /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i,
};

export const createBuiltFile = (
  bytes: Readonly<Record<'identity', Buffer> & Partial<Record<'br' | 'gzip', Buffer>>>,
  headers: Pick<StaticFile, 'contentType' | 'cacheControl' | 'policy'>,
): StaticFile => ({
  ...headers,
  identity: encodedBody(bytes.identity, ''),
  ...(bytes.br && { br: encodedBody(bytes.br, '-br') }),
  ...(bytes.gzip && { gzip: encodedBody(bytes.gzip, '-gz') }),
});

/** Made and compressed when it is first asked for. */
export const createStaticFile = (
  make: () => string,
  contentType: string,
  cacheControl = NO_CACHE,
): StaticFile => {
  let identity: EncodedBody | undefined;
  let br: EncodedBody | undefined;
  let gzip: EncodedBody | undefined;
  // All browsers accept it compressed: keeping it uncompressed as well would take four times the memory.
  const bytes = (): Buffer => identity?.bytes ?? Buffer.from(make());
  return {
    contentType,
    cacheControl,
    get identity() {
      return (identity ??= encodedBody(bytes(), ''));
    },
    get br() {
      return (br ??= encodedBody(brotliCompressSync(bytes(), BROTLI), '-br'));
    },
    get gzip() {
      return (gzip ??= encodedBody(gzipSync(bytes(), { level: 9 }), '-gz'));
    },
  };
};

const chooseBody = (file: StaticFile, acceptEncoding = ''): [ContentCoding, EncodedBody] => {
  for (const coding of ['br', 'gzip'] as const) {
    const body = accepts(acceptEncoding, coding) ? file[coding] : undefined;
    if (body !== undefined) return [coding, body];
  }
  return ['identity', file.identity];
};

const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch
    .split(',')
    .some((candidate) => candidate.trim().replace(/^W\//, '') === etag || candidate.trim() === '*');

const accepts = (header: string, coding: keyof typeof ACCEPTED): boolean => {
  const entry = ACCEPTED[coding].exec(header);
  return entry !== null && Number(entry[1] ?? 1) > 0;
};

const encodedBody = (bytes: Buffer, suffix: string): EncodedBody => {
  let etag: string | undefined;
  return {
    bytes,
    get etag() {
      return (etag ??= `"${hash('sha256', bytes, 'base64url').slice(0, 22)}${suffix}"`);
    },
  };
};

type StaticAnswerDeps = {
  readonly headers: Readonly<Record<string, string>>;
  readonly onAnswered: (request: FastifyRequest, status: number) => void;
  readonly isDraining: () => boolean;
};

export type SendStaticFile = (
  reply: FastifyReply,
  file: StaticFile,
  options?: { readonly status?: number; readonly noIndex?: boolean },
) => void;

const NO_INDEX = ['x-robots-tag', 'noindex'];
const LAST_ANSWER = ['connection', 'close'];

/** Pages and files are written past the framework, with headers that are prepared once for each body. */
export const createSendStaticFile = ({
  headers,
  onAnswered,
  isDraining,
}: StaticAnswerDeps): SendStaticFile => {
  const prepared = new WeakMap<EncodedBody, { readonly unchanged: string[]; readonly whole: string[] }>();

  const prepare = (file: StaticFile, body: EncodedBody, coding: string) => {
    const policy = file.policy !== undefined && { 'content-security-policy': file.policy };
    const always = Object.entries({ ...headers, ...policy }).flat();
    const cached = ['cache-control', file.cacheControl, 'vary', 'accept-encoding', 'etag', body.etag];
    const unchanged = [...always, ...cached];
    const whole = [...unchanged, 'content-type', file.contentType, 'content-length', `${body.bytes.length}`];
    if (coding !== 'identity') whole.push('content-encoding', coding);
    prepared.set(body, { unchanged, whole });
    return { unchanged, whole };
  };

  return (reply, file, { status = 200, noIndex = false } = {}) => {
    const { request } = reply;
    const [coding, body] = chooseBody(file, request.headers['accept-encoding']);
    const { unchanged, whole } = prepared.get(body) ?? prepare(file, body, coding);
    const isUnchanged = status === 200 && matchesEtag(request.headers['if-none-match'], body.etag);
    let lines = isUnchanged ? unchanged : whole;
    if (noIndex) lines = [...lines, ...NO_INDEX];
    if (isDraining()) lines = [...lines, ...LAST_ANSWER];
    const sent = isUnchanged ? 304 : status;
    onAnswered(request, sent);
    reply.hijack();
    const isHead = request.method === 'HEAD';
    reply.raw.writeHead(sent, lines).end(isUnchanged || isHead ? undefined : body.bytes);
  };
};
