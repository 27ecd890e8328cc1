import { type RefObject, useEffect, useRef, useState } from 'react';

/** Moves the focus to the first field with an error, which may be off screen. Call `look` whenever errors were set. */
export function useFirstFault(): { form: RefObject<HTMLFormElement | null>; look: () => void } {
  const form = useRef<HTMLFormElement>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (looks > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [looks]);
  return { form, look: () => setLooks((before) => before + 1) };
}
