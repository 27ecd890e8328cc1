/** Two connections keep PostgreSQL busy while one waits for a commit. The embedded engine has one, which they share. */
const WORKERS = 2;

/**
 * Works through chunks in their order with a few workers. When one fails, no further chunk begins, and the fault is
 * thrown once all have stopped, so that nothing goes on behind the caller's back.
 *
 * @param find the next chunk after the one given, or undefined after the last; never called twice at once
 */
export async function runWorkers<Chunk>(
  find: (last: Chunk | undefined) => Promise<Chunk | undefined>,
  work: (chunk: Chunk) => Promise<void>,
  workers = WORKERS,
): Promise<void> {
  let turn: Promise<Chunk | undefined> = find(undefined);
  let hasFailed = false;
  const worker = async () => {
    try {
      for (let own = takeTurn(); ; own = takeTurn()) {
        const chunk = await own;
        if (chunk === undefined || hasFailed) return;
        await work(chunk);
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const takeTurn = () => {
    const own = turn;
    turn = own.then((chunk) => (chunk === undefined || hasFailed ? undefined : find(chunk)));
    // A stopped worker does not take it any more; whoever does sees its fault.
    turn.catch(() => {});
    return own;
  };
  const ended = await Promise.allSettled(Array.from({ length: workers }, worker));
  await turn.catch(() => {});
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
