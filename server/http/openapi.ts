import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** OpenAPI from the same rows and schemas that check requests and replies, at `/api/docs`. */
export async function mountDocs(app: FastifyInstance, title: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${title} API`,
        version: '1',
        description:
          'Every refusal has the form {status: "error", code, message}, and every reply an X-Request-Id. JSON is UTF-8. There is no HEAD.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route as Parameters<typeof jsonSchemaTransform>[0]);
      const querystring = joinForms((schema as { querystring?: Query }).querystring);
      return { schema: { ...schema, ...(querystring && { querystring }) }, url };
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    // Its own policy lists the hashes of its scripts, but permits framing by this origin, which is not needed.
    staticCSP: true,
    transformStaticCSP: (policy) => policy.replace(/frame-ancestors [^;]*/, "frame-ancestors 'none'"),
  });
}

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
