import { useState } from 'react';

/** Whether a dialog was ever open: its code is loaded then, and it stays mounted to fade out and to keep its place. */
export function useWasOpened(opened: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  return wasOpened;
}
