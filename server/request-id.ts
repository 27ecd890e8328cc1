import { AsyncLocalStorage } from 'node:async_hooks';

const ids = new AsyncLocalStorage<string>();

/** What is done in it, and all that it begins, belongs to the request with this id. */
export const withRequestId = <T>(requestId: string, act: () => T): T => ids.run(requestId, act);

/** Undefined outside of requests: jobs, the start. */
export const currentRequestId = (): string | undefined => ids.getStore();
