import { type LiveHello, liveHello } from '#contract/live/live.ts';

/** The first message of a client, or undefined when it is none. */
export function readHello(text: string): LiveHello | undefined {
  try {
    return liveHello.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
