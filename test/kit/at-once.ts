type Call = Promise<unknown> | (() => Promise<unknown>);
type ValueOf<C> = Awaited<C extends () => infer Returned ? Returned : C>;

/** Runs all concurrently and sorts the results into values and codes of refusals. Anything else fails the test. */
export async function atOnce<C extends Call>(calls: readonly C[]): Promise<{ done: ValueOf<C>[]; refused: string[] }> {
  const ends = await Promise.allSettled(calls.map((call) => (typeof call === 'function' ? call() : call)));
  return {
    done: ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value as ValueOf<C>] : [])),
    refused: ends.flatMap((end) => (end.status === 'rejected' ? [codeIn(end.reason)] : [])),
  };
}

/** The code with which the call was refused, or that it was done. */
export const codeOf = async (call: Promise<unknown>): Promise<string> => (await atOnce([call])).refused[0] ?? 'done';

export const times = <T>(count: number, work: (index: number) => Promise<T>): (() => Promise<T>)[] =>
  Array.from({ length: count }, (_, index) => () => work(index));

/** Each side goes first in every other round. */
export const inTurns = <T>(round: number, rivals: readonly T[]): readonly T[] =>
  round % 2 === 0 ? rivals : rivals.toReversed();

function codeIn(reason: unknown): string {
  const { code } = reason as { code?: string };
  if (code === undefined || !/^[a-z_]+$/.test(code)) throw reason;
  return code;
}
