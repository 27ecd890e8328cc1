import { AsyncLocalStorage } from 'node:async_hooks';
import { withSpan } from './spans.ts';

const ids = new AsyncLocalStorage<string>();

/** Runs `act`, and everything it starts, in the context of a request. */
export const withRequestId = <T>(requestId: string, act: () => T): T => ids.run(requestId, act);

/** Runs `act` outside any request, for work that outlives the one that started it. */
export const outsideRequests = <T>(act: () => T): T => withSpan(undefined, () => ids.exit(act));

/** Undefined outside requests: in jobs and at the start. */
export const currentRequestId = (): string | undefined => ids.getStore();
