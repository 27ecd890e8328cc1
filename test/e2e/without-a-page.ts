import { vi } from 'vitest';

/** Browser tests format amounts and dates as pages do, in English: no language is stored outside a page. */
vi.stubGlobal('localStorage', { getItem: () => null });
