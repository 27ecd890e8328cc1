import { useMediaQuery } from '@mantine/hooks';

/** Below 768 px, where a table row becomes two lines and a dialog becomes a sheet, or up to another width. */
export const useNarrow = (upTo = '47.99em'): boolean =>
  useMediaQuery(`(max-width: ${upTo})`, false, { getInitialValueInEffect: false }) ?? false;
