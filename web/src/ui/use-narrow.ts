import { useMediaQuery } from '@mantine/hooks';

/** Below 768 px, where a table row becomes two lines and a dialog becomes a sheet. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
