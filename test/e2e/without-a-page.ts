import { vi } from 'vitest';

/** Tests of browsers write amounts and days as pages do, in English: outside of a page no language is stored. */
vi.stubGlobal('localStorage', { getItem: () => null });
