import { type RefObject, useEffect, useRef, useState } from 'react';

/** Moves the focus to the first field with an error, which may be off screen. Call `look` whenever errors were set. */
export function useFirstError(): { form: RefObject<HTMLFormElement | null>; focusFirstError: () => void } {
  const form = useRef<HTMLFormElement>(null);
  const [focusRequests, setFocusRequests] = useState(0);
  useEffect(() => {
    if (focusRequests > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [focusRequests]);
  return { form, focusFirstError: () => setFocusRequests((before) => before + 1) };
}
