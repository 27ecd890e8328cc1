import { type ComponentType, lazy } from 'react';

/** A page's code is loaded when somebody goes there. */
export const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));
