import { type ComponentType, lazy } from 'react';

/** The code of a page, or of what is opened over one, is loaded when it is shown. */
export const page = <Props>(load: () => Promise<ComponentType<Props>>) => lazy(async () => ({ default: await load() }));
