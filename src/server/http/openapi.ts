import type { FastifyInstance, RouteOptions } from 'fastify';
import manifest from '#package.json' with { type: 'json' };
import { ErrorBodySchema } from '#shared/contract/error-body.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import type { ApiPath } from '#shared/paths.ts';
import type { ApiOperation } from './api-route.ts';
import { sendStaticFile } from './routes/static-routes.ts';
import { createStaticFile, type StaticFile } from './site/static-file.ts';

export type OpenApiSettings = {
  readonly brandName: string;
  readonly platformName: string;
  readonly publicUrl: string;
};

type Schema = { readonly type?: string; readonly title?: string; readonly description?: string };

type DescribedRoute = {
  readonly path: string;
  readonly method: string;
  readonly operation: ApiOperation;
};

export const OPENAPI_PATH = '/openapi.json' satisfies ApiPath;

/** Describes, to programs, the routes that are registered after it. */
export const registerOpenApiRoute = (server: FastifyInstance, settings: OpenApiSettings): void => {
  const routes: DescribedRoute[] = [];
  let file: StaticFile;
  server.get(OPENAPI_PATH, (request, reply) => void sendStaticFile(request, reply, { file, status: 200 }));
  server.addHook('onRoute', ({ method, url, config = {} }: RouteOptions) => {
    const { operation }: { readonly operation?: ApiOperation } = config;
    if (operation === undefined || method === 'HEAD') return;
    routes.push({ path: url, method: String(method).toLowerCase(), operation });
  });
  server.addHook('onReady', async () => {
    const text = JSON.stringify(openApiDocument(settings, routes));
    file = createStaticFile(Buffer.from(text), 'application/json', 'no-cache');
  });
};

const openApiDocument = (
  { brandName, platformName, publicUrl }: OpenApiSettings,
  routes: readonly DescribedRoute[],
) => {
  const schemas: Schema[] = [
    ...routes.flatMap(({ operation }) => Object.values(operation.answers)),
    ErrorBodySchema,
  ];
  const named = schemas.filter(({ title }) => title !== undefined);
  return {
    openapi: '3.1.1',
    info: {
      title: brandName,
      version: manifest.version,
      description: `Looks up public ${platformName} profiles. Unofficial. What acts needs a solved challenge as its proof.`,
    },
    servers: [{ url: publicUrl }],
    paths: Object.fromEntries(
      routes.map(({ path, method, operation }) => [path, { [method]: operationObject(operation) }]),
    ),
    components: { schemas: Object.fromEntries(named.map((schema) => [schema.title, schema])) },
  };
};

const operationObject = ({ id, summary, description, body, answers, errors }: ApiOperation) => ({
  operationId: id,
  summary,
  description,
  ...(body !== undefined && { requestBody: { required: true, content: jsonContent(body) } }),
  responses: { ...successes(answers), ...failures(errors) },
});

const jsonContent = (schema: object) => ({ 'application/json': { schema } });
const refer = ({ title }: Schema) => ({ $ref: `#/components/schemas/${title}` });

const successes = (answers: Readonly<Record<number, Schema>>) =>
  Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => {
      const content = schema.type === 'string' ? { 'text/plain': {} } : jsonContent(refer(schema));
      return [status, { description: schema.description, content }];
    }),
  );

const failures = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(codes, (code) => ERRORS[code].status)).map(([status, group]) => {
      const schema = {
        allOf: [refer(ErrorBodySchema), { properties: { code: { enum: group.toSorted() } } }],
      };
      return [
        status,
        { description: `Refused: ${group.toSorted().join(', ')}.`, content: jsonContent(schema) },
      ];
    }),
  );
