import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { Client } from 'pg';

const MARK = '/* prepared */';
const BEGINS_WITH_MARK = /^\s*\/\* prepared \*\//;

/**
 * The first words of a statement that each connection keeps prepared: sql`${prepared} select …`. For the few that run
 * hundreds of times a second and always touch a handful of rows: planning them anew costs more than running them. Not
 * for statements on sets, whose plan must fit how many rows there are this time.
 */
export const prepared: RawBuilder<unknown> = sql.raw(MARK);

type Callback = (error: Error, result: unknown) => void;

/** A connection that gives marked statements a name, by which PostgreSQL keeps them. PGlite only sees a comment. */
export class PreparingClient extends Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads end in any
  override query(config: any, values?: any, callback?: any): any {
    const isMarked = typeof config === 'string' && BEGINS_WITH_MARK.test(config) && Array.isArray(values);
    const named = isMarked ? { name: nameOf(config), text: config, values } : config;
    return isMarked ? super.query(named, callback as Callback) : super.query(named, values, callback);
  }
}

const names = new Map<string, string>();

/** A name belongs to one text for ever, on whatever connection. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
  }
  return name;
}
