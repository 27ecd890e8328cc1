import type { KyselyPlugin, PluginTransformQueryArgs } from 'kysely';
import type { Context } from '#server/context.ts';

export class Killed extends Error {}

/**
 * Simulates a killed process, as the database and other services see it, at a given step: the step throws, its
 * transaction is rolled back, and nothing happens afterwards. Steps are queries, and external calls before they are
 * sent and after their reply.
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

/** The context of a process that is killed this way. */
export const killedContext = <C extends Context>(context: C, kill: KillAt): C => ({
  ...context,
  db: context.db.withPlugin(kill),
});

/** Whether the work was killed; rethrows any other error. */
export async function isKilled(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return true;
  }
}
