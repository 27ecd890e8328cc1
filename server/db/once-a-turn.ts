/**
 * Does some work once a turn of the event loop, after all that was read in the turn, however often it is asked to.
 *
 * @returns what asks for it
 */
export function onceATurn(work: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      work();
    });
  };
}
