import { z } from 'zod';

/** The part of JSON Schema that the API uses. */
export type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
};

export type Call = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Allowed callers: `public`, `member` or the names of roles. */
  readonly access: readonly string[];
  readonly params: Readonly<Record<string, Schema>>;
  /** An object schema. */
  readonly query: Schema;
  readonly body: Schema | undefined;
  /** The media type of a success that is not JSON. */
  readonly file: string | undefined;
  /** The call's own refusal codes, in addition to those of every call. */
  readonly refusals: ReadonlySet<string>;
  /** @returns how a success violates the contract */
  readonly findMisfit: (answer: unknown) => string | undefined;
};

type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Operation = {
  readonly description: string;
  readonly parameters?: readonly { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly 200: { readonly content: Content } };
};
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** All calls in the server's OpenAPI document. */
export async function readCalls(origin: string): Promise<Call[]> {
  const document = (await (await fetch(`${origin}/api/docs/json`)).json()) as Document;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => readCall(method.toUpperCase(), path, operation)),
  );
}

function readCall(method: string, path: string, operation: Operation): Call {
  const { description, parameters = [], requestBody, responses } = operation;
  const inQuery = parameters.filter((one) => one.in === 'query');
  const { 'application/json': json, ...files } = responses[200].content;
  return {
    name: `${method} ${path}`,
    method,
    path,
    access: /^Access: ([a-z, ]+?)(?:, also before .*)?\.$/m.exec(description)?.[1]?.split(', ') ?? [],
    params: Object.fromEntries(parameters.filter((one) => one.in === 'path').map((one) => [one.name, one.schema])),
    query: {
      type: 'object',
      properties: Object.fromEntries(inQuery.map((one) => [one.name, one.schema])),
      required: inQuery.filter((one) => one.required).map((one) => one.name),
    },
    body: requestBody?.content['application/json']?.schema,
    file: Object.keys(files)[0],
    refusals: new Set([...description.matchAll(/^`(\w+)` \(\d+\): /gm)].map(([, code]) => code as string)),
    findMisfit: compareWith(json?.schema ?? {}),
  };
}

function compareWith(schema: Schema): Call['findMisfit'] {
  const type = z.fromJSONSchema(schema as z.core.JSONSchema.BaseSchema);
  return (answer) => {
    const issue = type.safeParse(answer).error?.issues[0];
    return issue && `${issue.path.join('.')}: ${issue.message}`;
  };
}

/** The call that serves this path: an odd parameter can lead to another call. */
export function findCall(calls: readonly Call[], method: string, path: string): Call | undefined {
  const parts = path.split('/');
  const fits = (call: Call) => {
    const own = call.path.split('/');
    return own.length === parts.length && own.every((part, index) => part.startsWith('{') || part === parts[index]);
  };
  const countParams = (call: Call) => Object.keys(call.params).length;
  return calls
    .filter((call) => call.method === method && fits(call))
    .sort((a, b) => countParams(a) - countParams(b))[0];
}
