import type { z } from 'zod';
import { Refused } from '#server/refused.ts';

/** Undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body of a signed webhook. Refuses `unreadable_body`. */
export function readBody<Shape extends z.ZodType>(rawBody: Buffer, shape: Shape): z.output<Shape> {
  const parsed = shape.safeParse(parseJson(rawBody.toString('utf8')));
  if (!parsed.success) throw new Refused('unreadable_body');
  return parsed.data;
}
