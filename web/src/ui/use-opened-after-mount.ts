import { useEffect, useState } from 'react';

/**
 * For dialogs whose code is loaded when they are first opened: they come into the page closed and open right after, or
 * they would not know whom to give the focus back to.
 */
export function useOpenedAfterMount(opened: boolean): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return isMounted && opened;
}
