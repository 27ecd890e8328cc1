import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { english } from '#contract/texts.ts';

const { t } = english;

/** The schema errors of a request, for `ValidationFailed`. */
export class ShapeFault extends Error {
  readonly issues: readonly z.core.$ZodIssue[];
  /** Which part of the request; Fastify fills it in. */
  validationContext?: string;
  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('validation');
    this.issues = issues;
  }
}

/** Reads a part of a request by its schema. */
export const readFields: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const { success, data: value, error } = schema.safeParse(data, { error: describeIssue });
    return success ? { value } : { error: new ShapeFault(error.issues) };
  };

/** The default message of a schema error. Those of the validator are for programmers. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return t`Fill this in.`;
  if (issue.code === 'invalid_value') return oneOf(issue.values ?? []);
  if (issue.code === 'invalid_union' && Array.isArray(issue.options)) return oneOf(issue.options);
  if (issue.code === 'invalid_format' && issue.format === 'datetime') {
    return t`Enter a time in UTC, such as 2026-03-04T12:00:00Z.`;
  }
  return t`This value is not valid.`;
}

const oneOf = (values: readonly unknown[]) => t`Choose one of these: ${values.join(', ')}.`;
