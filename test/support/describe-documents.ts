import { Type, type TProperties, type TSchema } from 'typebox';

type Described = {
  readonly anyOf?: readonly TSchema[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly type?: string;
  readonly pattern?: string;
  readonly items?: TSchema;
  readonly properties?: TProperties;
  readonly required?: readonly string[];
};

const typeOf = (schema: TSchema): string => {
  const { anyOf, enum: values, items, properties, required = [], ...rest } = schema as Described;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (items !== undefined) return `${typeOf(items)}[]`;
  if (properties !== undefined)
    return `{ ${fieldsOf(properties, (name) => required.includes(name)).join(', ')} }`;
  if (rest.const !== undefined) return JSON.stringify(rest.const);
  return rest.pattern === undefined ? (rest.type ?? '').replace('integer', 'number') : 'day';
};

const fieldsOf = (properties: TProperties, isRequired: (name: string) => boolean): string[] =>
  Object.entries(properties).map(([name, type]) => `${name}${isRequired(name) ? '' : '?'}: ${typeOf(type)}`);

/** The fields of each command's document, as the documentation shows them. */
export const describeDocuments = (documents: Readonly<Record<string, TProperties>>): string =>
  Object.entries(documents)
    .map(([name, properties]) => {
      const { required = [] } = Type.Object(properties) as Described;
      const fields = fieldsOf(properties, (field) => required.includes(field));
      return [name, ...fields.map((field) => `  ${field}`), ''].join('\n');
    })
    .join('');
