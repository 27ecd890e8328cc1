import { type RefObject, useEffect, useRef, useState } from 'react';

/** Inputs, and the options of a choice, whose errors its group has. */
const wrong = '[aria-invalid="true"]:not(fieldset), fieldset[aria-invalid="true"] input';

/** Moves the focus to the first field with an error, which may be off screen. Call it whenever errors were set. */
export function useFirstError(): { form: RefObject<HTMLFormElement | null>; focusFirstError: () => void } {
  const form = useRef<HTMLFormElement>(null);
  const [focusRequests, setFocusRequests] = useState(0);
  useEffect(() => {
    if (focusRequests === 0) return;
    const focus = () => form.current?.querySelector<HTMLElement>(wrong)?.focus();
    focus();
    // A folded part that opens for its error is drawn with the next frame.
    const frame = requestAnimationFrame(focus);
    return () => cancelAnimationFrame(frame);
  }, [focusRequests]);
  return { form, focusFirstError: () => setFocusRequests((before) => before + 1) };
}
