import type { z } from 'zod';

/** In one line what a setting or an argument must be: `must be one of on, off`. Undefined where only its schema says so. */
export function describeIssue(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      return issue.origin === 'string'
        ? `must have at least ${issue.minimum} characters`
        : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    case 'invalid_format':
      if (issue.format === 'email') return 'must be an email address';
      return issue.format === 'datetime' ? 'must be a time in UTC, such as 2025-06-18T12:20:00Z' : undefined;
    default:
      return issue.code === 'invalid_type' && issue.expected === 'number' ? 'must be a number' : undefined;
  }
}
