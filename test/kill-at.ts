import type { KyselyPlugin, PluginTransformQueryArgs } from 'kysely';
import type { Context } from '#server/context.ts';

export class Killed extends Error {}

/**
 * Ends the process, as far as the database and others can tell, at a step of its work: it throws, its transaction is gone,
 * and nothing happens after it. Steps are queries, and calls to others before they leave and after they were answered.
 */
export class KillAt implements KyselyPlugin {
  left: number;
  constructor(steps: number) {
    this.left = steps;
  }
  step(): void {
    this.left -= 1;
    if (this.left < 0) throw new Killed();
  }
  async call<T>(work: () => Promise<T>): Promise<T> {
    this.step();
    const answer = await work();
    this.step();
    return answer;
  }
  transformQuery({ node }: PluginTransformQueryArgs) {
    this.step();
    return node;
  }
  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => result;
}

/** The context of a process that ends so. */
export const killedContext = <C extends Context>(context: C, kill: KillAt): C => ({
  ...context,
  db: context.db.withPlugin(kill),
});

/** Whether the work was killed; any other error is one. */
export async function isKilled(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return true;
  }
}
