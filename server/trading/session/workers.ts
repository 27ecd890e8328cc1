/**
 * Chunks in work at the same time: two connections keep PostgreSQL busy while one of them waits for a commit or for this
 * process. The embedded engine has one connection, on which they take turns.
 */
const LANES = 2;

/**
 * Works through chunks, in their order, in lanes that each take the next one as soon as they are free. When a lane fails, no
 * further chunk is begun, and the fault is thrown when all lanes stand still: whoever catches it knows that nothing goes on
 * behind its back.
 *
 * @param find the next chunk after the one given, or undefined after the last; never called twice at once
 */
export async function workInLanes<Chunk>(
  find: (last: Chunk | undefined) => Promise<Chunk | undefined>,
  work: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  let turn: Promise<Chunk | undefined> = find(undefined);
  let hasFailed = false;
  const lane = async () => {
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
    // A lane that has stopped does not take it any more; whoever does, sees its fault.
    turn.catch(() => {});
    return own;
  };
  const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
  await turn.catch(() => {});
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
