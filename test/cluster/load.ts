import { setTimeout as wait } from 'node:timers/promises';
import { type LiveClient, openLiveClient } from '#test/kit/live-client.ts';
import { sendApi } from '#test/kit/send-api.ts';

/** A request for a trade and its outcome; without a trade it failed. */
export type Attempt = {
  readonly at: number;
  readonly tradeId?: bigint;
  readonly failure?: string;
};

export type Load = {
  readonly attempts: readonly Attempt[];
  /** Waits until a trade requested from now on is acknowledged. */
  readonly waitAcknowledged: (withinMs: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const ANSWER_MS = 10_000;

/** Each member places one trade after another, whatever the reply. */
export function startLoad(origin: string, tokens: readonly string[], pauseMs: number): Load {
  const attempts: Attempt[] = [];
  let isOver = false;
  const trade = async (token: string) => {
    for (; !isOver; await wait(pauseMs)) attempts.push(await place(origin, token));
  };
  const ended = Promise.all(tokens.map(trade));
  return {
    attempts,
    waitAcknowledged: async (withinMs) => {
      const since = Date.now();
      const isThere = () => attempts.some(({ at, tradeId }) => tradeId !== undefined && at >= since);
      while (!isThere() && Date.now() - since < withinMs) await wait(50);
      if (!isThere()) throw new Error(`no trade was acknowledged within ${withinMs / 1000} s`);
    },
    stop: async () => {
      isOver = true;
      await ended;
    },
  };
}

async function place(origin: string, token: string): Promise<Attempt> {
  const body = { tradeId: 'btc', amount: 5, wallet_type: 'primary' };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  try {
    const reply = await sendApi(origin, 'trading/do-trade', {
      token,
      body,
      headers,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await reply.text();
    if (reply.status === 200) return { at: Date.now(), tradeId: BigInt(JSON.parse(text).data.id) };
    return { at: Date.now(), failure: `${reply.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim() };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return { at: Date.now(), failure: cause?.code ?? name };
  }
}

/** Members' sockets, which reconnect whenever they are closed, from the last cursor they received. */
export type Followers = {
  readonly count: number;
  readonly closings: () => number;
  /** Waits until each has received a trade from now on. */
  readonly waitTold: (withinMs: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function startFollowers(origin: string, tokens: readonly string[]): Promise<Followers> {
  const toldAt = tokens.map(() => 0);
  let isOver = false;
  let closings = 0;
  const clients: (LiveClient | undefined)[] = [];
  const follow = async (token: string, index: number) => {
    let since: string | undefined;
    while (!isOver) {
      const client = await openLiveClient(origin, token, since);
      clients[index] = client;
      client.wait((message) => {
        if (message.type === 'trade') toldAt[index] = Date.now();
        return false;
      });
      if (isOver) client.close();
      await client.closed;
      if (client.told.some(({ type }) => type === 'ready')) since = client.position();
      closings += 1;
      await wait(200);
    }
  };
  const ended = Promise.all(tokens.map(follow));
  return {
    count: tokens.length,
    closings: () => closings,
    waitTold: async (withinMs) => {
      const from = Date.now();
      while (Date.now() - from < withinMs) {
        if (toldAt.every((at) => at >= from)) return;
        await wait(50);
      }
      throw new Error(
        `${toldAt.filter((at) => at < from).length} sockets were told nothing within ${withinMs / 1000} s`,
      );
    },
    stop: async () => {
      isOver = true;
      for (const client of clients) client?.close();
      await ended;
    },
  };
}
