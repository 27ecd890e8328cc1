import { type RefObject, useEffect, useRef, useState } from 'react';

/** The first field with an error gets the focus: it may stand above what is on screen. Call `look` whenever errors were set. */
export function useFirstFault(): { form: RefObject<HTMLFormElement | null>; look: () => void } {
  const form = useRef<HTMLFormElement>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (looks > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [looks]);
  return { form, look: () => setLooks((before) => before + 1) };
}
