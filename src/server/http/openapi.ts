import { Type } from 'typebox';
import manifest from '#package.json' with { type: 'json' };
import { ChallengeSchema } from '#shared/contract/challenge.ts';
import { DonationSchema, WithdrawalSchema } from '#shared/contract/donation.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { NotFoundSchema, ProfileSchema } from '#shared/contract/profile.ts';
import { StatusSchema } from '#shared/contract/status.ts';
import { idFieldName } from '#shared/site.ts';
import { apiOperations, type ApiOperation } from './api-operations.ts';
import { createStaticFile, type StaticFile } from './site/static-file.ts';

export type OpenApiSettings = {
  readonly brandName: string;
  readonly platformName: string;
  readonly publicUrl: string;
  readonly tokenDonations: boolean;
};

export const OPENAPI_PATH = '/openapi.json';

const ErrorSchema = Type.Object({
  error: Type.String({ description: 'A sentence for people.' }),
  code: Type.String({ description: 'The same for programs.' }),
  retry_after: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Whole seconds until another try makes sense.' }),
  ),
});

const COMMON_SCHEMAS = {
  Challenge: ChallengeSchema,
  Profile: ProfileSchema,
  NotFound: NotFoundSchema,
  Status: StatusSchema,
  Error: ErrorSchema,
};
const DONATION_SCHEMAS = { Donation: DonationSchema, Withdrawal: WithdrawalSchema };

export const openApiFile = (settings: OpenApiSettings): StaticFile =>
  createStaticFile(Buffer.from(JSON.stringify(openApiDocument(settings))), 'application/json', 'no-cache');

/** What programs may ask this site, made from the schemas that its routes go by. */
export const openApiDocument = (settings: OpenApiSettings) => {
  const { brandName, platformName, publicUrl, tokenDonations } = settings;
  const operations = apiOperations({ platformName, tokenDonations, idField: idFieldName(platformName) });
  return {
    openapi: '3.1.1',
    info: {
      title: brandName,
      version: manifest.version,
      description: `Looks up public ${platformName} profiles. Unofficial. What acts needs a solved challenge as its proof.`,
    },
    servers: [{ url: publicUrl }],
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path, { [operation.method]: operationObject(operation) }]),
    ),
    components: { schemas: { ...COMMON_SCHEMAS, ...(tokenDonations ? DONATION_SCHEMAS : {}) } },
  };
};

const json = (schema: object) => ({ 'application/json': { schema } });
const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const operationObject = ({ id, summary, description, body, answers, errors }: ApiOperation) => ({
  operationId: id,
  summary,
  ...(description !== undefined && { description }),
  ...(body !== undefined && { requestBody: { required: true, content: json(body) } }),
  responses: { ...successes(answers), ...failures(errors) },
});

const successes = (answers: ApiOperation['answers']) =>
  Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema }]) => {
      const content = schema === null ? { 'text/plain': {} } : json(refer(schema));
      return [status, { description, content }];
    }),
  );

const failures = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(codes, (code) => ERRORS[code].status)).map(([status, group]) => {
      const schema = { allOf: [refer('Error'), { properties: { code: { enum: group.toSorted() } } }] };
      return [status, { description: `Refused: ${group.toSorted().join(', ')}.`, content: json(schema) }];
    }),
  );
