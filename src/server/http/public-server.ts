import type { FastifyInstance } from 'fastify';
import type { Captcha } from '#server/captcha/captcha.ts';
import type { Config, PlatformUrls } from '#server/config.ts';
import type { Donations } from '#server/donation/donations.ts';
import type { LookUpProfile } from '#server/lookup/lookup.ts';
import type { Events } from '#server/observability/events.ts';
import type { Clock } from '#server/system.ts';
import type { VanityLinks } from '#server/vanity/vanity-links.ts';
import type { VisitorLimits } from '#server/visitors/visitor-limits.ts';
import type { Status } from '#shared/contract/status.ts';
import { API_METHODS } from '#shared/paths.ts';
import { idFieldName } from '#shared/site.ts';
import { createClientIp } from './client-ip.ts';
import { errorSentences } from './error-sentences.ts';
import { createHttpServer, type AddressOf } from './http-server.ts';
import { createLinkPreview } from './site/link-preview.ts';
import { OPENAPI_PATH, openApiFile } from './openapi.ts';
import type { Overload } from './overload.ts';
import { createProofGate } from './proof-gate.ts';
import { registerChallengeRoute } from './routes/challenge-route.ts';
import { registerDonationRoutes } from './routes/donation-routes.ts';
import { registerLookupRoute } from './routes/lookup-route.ts';
import { registerStaticRoutes } from './routes/static-routes.ts';
import { registerStatusRoute } from './routes/status-route.ts';
import { registerVanityRoute } from './routes/vanity-route.ts';
import { securityHeaders } from './security-headers.ts';
import type { WebBuild } from './site/web-build.ts';

export type PublicServerDeps = {
  readonly config: Config;
  readonly platformUrls: PlatformUrls;
  readonly clock: Clock;
  readonly captcha: Captcha;
  readonly visitors: VisitorLimits;
  readonly lookUpProfile: LookUpProfile;
  readonly events: Events;
  /** Null where the operator takes no tokens. */
  readonly donations: Donations | null;
  readonly readStatus: () => Status;
  readonly vanityLinks: VanityLinks;
  readonly web: WebBuild;
  readonly overload: Overload;
  readonly isDraining: () => boolean;
};

const DONATION_PATHS: ReadonlySet<string> = new Set(['/donate-token', '/withdraw-token']);

export const createPublicServer = (deps: PublicServerDeps): FastifyInstance => {
  const { config, events, donations } = deps;
  const openApi = openApiFile({ ...config, tokenDonations: donations !== null });
  const web = { ...deps.web, files: new Map([...deps.web.files, [OPENAPI_PATH, openApi]]) };
  const behindProxy = config.trustedProxies.length > 0;
  const clientIp = createClientIp({ trustedProxies: config.trustedProxies });
  const addressOf: AddressOf = (request) =>
    clientIp(request.raw.socket.remoteAddress, request.headers['x-forwarded-for']);
  const server = createHttpServer({
    headers: securityHeaders({
      cdnUrl: deps.platformUrls.cdnUrl,
      publicUrl: config.publicUrl,
      inlineCode: web.inlineCode,
    }),
    sentences: errorSentences(config),
    events,
    clock: deps.clock,
    notFoundPage: web.notFoundPage,
    methodOfPath: new Map([
      ...Object.entries(API_METHODS).filter(([path]) => donations !== null || !DONATION_PATHS.has(path)),
      ...[...web.pages.keys(), ...web.files.keys()].map((path) => [path, 'GET'] as const),
    ]),
    behindProxy,
    overload: deps.overload,
    cheapPaths: new Set(['/healthz', ...web.pages.keys(), ...web.files.keys()]),
    isDraining: deps.isDraining,
  });
  const page = web.pages.get('/') ?? web.notFoundPage;
  const preview = createLinkPreview({ page, platformName: config.platformName, clock: deps.clock });
  registerStaticRoutes(server, web, preview);
  registerStatusRoute(server, deps.readStatus);
  registerChallengeRoute(server, { ...deps, addressOf });
  const passProof = createProofGate({ ...deps, addressOf });
  registerLookupRoute(server, { ...deps, passProof, idField: idFieldName(config.platformName) });
  if (donations !== null) registerDonationRoutes(server, { donations, passProof, events });
  registerVanityRoute(server, deps);
  server.get('/healthz', (_request, reply) => reply.type('text/plain').send('ok'));
  return server;
};
