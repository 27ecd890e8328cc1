import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import { Query } from 'pg';
import { NoAnswer } from './faults.ts';
import { ServerClient, type ServerClientConfig } from './server-client.ts';

const MARK = '/* prepared */';
const BEGINS_WITH_MARK = /^\s*\/\* prepared \*\//;

/**
 * The first words of a statement that each connection keeps prepared: sql`${prepared} select …`. For the few that run
 * hundreds of times a second and always touch a handful of rows: planning them anew costs more than running them. Not
 * for statements on sets, whose plan must fit how many rows there are this time.
 */
export const prepared: RawBuilder<unknown> = sql.raw(MARK);

/** What the pool hands on to each of its connections. */
export type ConnectionOptions = ServerClientConfig & {
  /** False: statements are not kept by name, because the next one may meet another connection. */
  readonly prepares?: boolean;
  /** After how long without an answer the connection is failed permanently; never, when left out. */
  readonly answerMs?: number;
};

/**
 * A connection that gives marked statements a name, by which PostgreSQL keeps them (PGlite only sees a comment), and that
 * is given up when an answer does not come: a machine that is gone says nothing, and whoever waits has to hear something.
 */
export class PreparingClient extends ServerClient {
  readonly #prepares: boolean;
  readonly #answerMs: number | undefined;
  constructor({ prepares = true, answerMs, ...config }: ConnectionOptions = {}) {
    super(config);
    this.#prepares = prepares;
    this.#answerMs = answerMs;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads end in any
  override query(config: any, values?: any, callback?: any): any {
    const isMarked =
      this.#prepares && typeof config === 'string' && BEGINS_WITH_MARK.test(config) && Array.isArray(values);
    const answer: unknown = isMarked ? this.#queryByName(config, values) : super.query(config, values, callback);
    if (this.#answerMs !== undefined && answer instanceof Promise) this.#limit(answer, this.#answerMs);
    return answer;
  }

  /** As the driver's own query with a name, which copies what it is given property by property first. */
  #queryByName(text: string, values: unknown[]): Promise<unknown> {
    const query = Object.assign(new Query(text, values), { name: nameOf(text) });
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result));
      super.query(query as never, settle as never);
    });
  }

  #limit(answer: Promise<unknown>, ms: number): void {
    // A process that was busy for as long reads what has come meanwhile, before it gives up.
    const timer = setTimeout(() => setImmediate(() => !isAnswered && this.#giveUp(ms)), ms);
    let isAnswered = false;
    const end = () => {
      isAnswered = true;
      clearTimeout(timer);
    };
    answer.then(end, end);
  }

  #giveUp(ms: number): void {
    const { connection } = this as unknown as { connection: { stream: Duplex } };
    connection.stream.destroy(new NoAnswer(ms));
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
