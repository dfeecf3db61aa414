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
import { createClientIp } from './client-ip.ts';
import { errorSentences } from './error-sentences.ts';
import { createHttpServer, type AddressOf } from './http-server.ts';
import { OPENAPI_PATH, registerOpenApiRoute } from './openapi.ts';
import type { Overload } from './overload.ts';
import { createProofGate } from './proof-gate.ts';
import { registerChallengeRoute } from './routes/challenge-route.ts';
import { registerDonationRoutes } from './routes/donation-routes.ts';
import { registerLookupRoute } from './routes/lookup-route.ts';
import { registerStaticRoutes } from './routes/static-routes.ts';
import { registerStatusRoutes } from './routes/status-routes.ts';
import { registerVanityRoute } from './routes/vanity-route.ts';
import { securityHeaders } from './security-headers.ts';
import { createLinkPreview } from './site/link-preview.ts';
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

export const createPublicServer = (deps: PublicServerDeps): FastifyInstance => {
  const { config, events, donations, web } = deps;
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
    behindProxy: config.trustedProxies.length > 0,
    overload: deps.overload,
    cheapPaths: new Set(['/healthz', OPENAPI_PATH, ...web.pages.keys(), ...web.files.keys()]),
    isDraining: deps.isDraining,
  });
  const page = web.pages.get('/') ?? web.notFoundPage;
  const preview = createLinkPreview({ page, platformName: config.platformName, clock: deps.clock });
  const passProof = createProofGate({ ...deps, addressOf });
  registerOpenApiRoute(server, config);
  registerStaticRoutes(server, web, preview);
  registerChallengeRoute(server, { ...deps, addressOf });
  registerLookupRoute(server, { ...deps, passProof, platformName: config.platformName });
  if (donations !== null) registerDonationRoutes(server, { donations, passProof, events });
  registerStatusRoutes(server, deps.readStatus);
  registerVanityRoute(server, deps);
  return server;
};
