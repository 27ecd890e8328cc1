import { type ComponentType, lazy } from 'react';

/** A page's code is loaded on navigation. */
export const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));
