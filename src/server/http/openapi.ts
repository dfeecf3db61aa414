import type { FastifyInstance, RouteOptions } from 'fastify';
import manifest from '#package.json' with { type: 'json' };
import type { Config } from '#server/config.ts';
import { ErrorBodySchema } from '#shared/contract/error-body.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import type { ApiPath } from '#shared/paths.ts';
import type { ApiOperation } from './api-route.ts';
import { createStaticFile, type SendStaticFile, type StaticFile } from './site/static-file.ts';

type Schema = { readonly type?: string; readonly title?: string; readonly description?: string };

type DescribedRoute = RouteOptions & { config?: { readonly operation?: ApiOperation } };

export const OPENAPI_PATH = '/openapi.json' satisfies ApiPath;

/** Describes the routes that are registered after it. */
export const registerOpenApiRoute = (
  server: FastifyInstance,
  config: Config,
  sendStaticFile: SendStaticFile,
): void => {
  const paths: Record<string, object> = {};
  const schemas: Schema[] = [];
  let file: StaticFile;
  server.get(OPENAPI_PATH, (_request, reply) => sendStaticFile(reply, file));
  server.addHook('onRoute', ({ method, url, config: { operation } = {} }: DescribedRoute) => {
    if (operation === undefined || method === 'HEAD') return;
    paths[url] = { [String(method).toLowerCase()]: operationObject(operation) };
    schemas.push(...Object.values(operation.answers));
  });
  server.addHook('onReady', async () => {
    schemas.push(ErrorBodySchema);
    const named = schemas.filter(({ title }) => title !== undefined);
    const document = {
      openapi: '3.1.1',
      info: {
        title: config.brandName,
        version: manifest.version,
        description: `Looks up public ${config.platformName} profiles. Unofficial. Every POST needs a solved challenge as proof.`,
      },
      servers: [{ url: config.publicUrl }],
      paths,
      components: { schemas: Object.fromEntries(named.map((schema) => [schema.title, schema])) },
    };
    file = createStaticFile(() => JSON.stringify(document), 'application/json');
  });
};

const operationObject = (operation: ApiOperation): object => {
  const { id, summary, description, body, answers, errors } = operation;
  return {
    operationId: id,
    summary,
    description,
    ...(body !== undefined && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: { ...successes(answers), ...failures(errors) },
  };
};

const jsonContent = <Of extends object>(schema: Of) => ({ 'application/json': { schema } });
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
