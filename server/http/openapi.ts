import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { failure, idempotencyKey } from './reply.ts';

/** OpenAPI from the same rows and schemas that check requests and replies, at `/api/docs`. */
export async function mountDocs(app: FastifyInstance, title: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${title} API`,
        version: '1',
        description: 'Every reply has an X-Request-Id. JSON is UTF-8. There is no HEAD.',
      },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
        schemas: { Refusal: z.toJSONSchema(failure) as object },
      },
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route as Parameters<typeof jsonSchemaTransform>[0]);
      const querystring = joinForms((schema as { querystring?: Query }).querystring);
      const headers = route.route.config?.row?.idempotent && keyHeader;
      const response = { ...(schema as { response?: object }).response, default: refusal };
      return { schema: { ...schema, response, ...(querystring && { querystring }), ...(headers && { headers }) }, url };
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    // Its own policy lists the hashes of its scripts, but permits framing by this origin, which is not needed.
    staticCSP: true,
    transformStaticCSP: (policy) => policy.replace(/frame-ancestors [^;]*/, "frame-ancestors 'none'"),
  });
}

const keyHeader = {
  type: 'object',
  properties: { 'Idempotency-Key': { type: 'string', pattern: idempotencyKey.source } },
};

/** Every call refuses in this form; its own codes are in its description. */
const refusal = {
  description: 'A refusal.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
};

type Query = {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Query[];
};

/**
 * OpenAPI lists the parameters of a query one by one. If a query has several forms, each parameter accepts what any
 * form does, and is required if all forms require it.
 */
function joinForms(query: Query | undefined): Query | undefined {
  const forms = query?.oneOf;
  if (forms === undefined) return query;
  const names = [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const joined = names.map((name) => {
    const taken = forms.flatMap(({ properties = {} }) => properties[name] ?? []);
    return [name, taken.length === 1 ? (taken[0] ?? {}) : { anyOf: taken }] as const;
  });
  const required = names.filter((name) => forms.every((form) => form.required?.includes(name)));
  return { type: 'object', properties: Object.fromEntries(joined), required } as Query;
}
