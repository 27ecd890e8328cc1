import { useMediaQuery } from '@mantine/hooks';

/** Below 768 px, where a row of a table becomes two lines and a dialog a sheet. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
