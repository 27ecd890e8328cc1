import type { KyselyPlugin, PluginTransformQueryArgs } from 'kysely';
import type { Context } from '#server/context.ts';

class Killed extends Error {}

/** Ends the process, as far as the database can tell, at the n-th query from now: it throws, and its transaction is gone. */
class KillAt implements KyselyPlugin {
  left: number;
  constructor(queries: number) {
    this.left = queries;
  }
  transformQuery({ node }: PluginTransformQueryArgs) {
    this.left -= 1;
    if (this.left < 0) throw new Killed();
    return node;
  }
  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => result;
}

/**
 * Does something whose first attempt dies at its first query, the next at its second, and so on, until one comes to the end.
 *
 * @returns how often it was killed
 */
export async function killAtEveryQuery(whole: Context, work: (context: Context) => Promise<unknown>): Promise<number> {
  for (let queries = 0; ; queries += 1) {
    try {
      await work({ ...whole, db: whole.db.withPlugin(new KillAt(queries)) });
      return queries;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
}
