import { AsyncLocalStorage } from 'node:async_hooks';
import { withSpan } from './spans.ts';

const ids = new AsyncLocalStorage<string>();

/** What is done in it, and all that it begins, belongs to the request with this id. */
export const withRequestId = <T>(requestId: string, act: () => T): T => ids.run(requestId, act);

/** What goes on after the request it began in belongs to none. */
export const outsideRequests = <T>(act: () => T): T => withSpan(undefined, () => ids.exit(act));

/** Undefined outside of requests: jobs, the start. */
export const currentRequestId = (): string | undefined => ids.getStore();
