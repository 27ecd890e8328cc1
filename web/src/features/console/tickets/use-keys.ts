import { useEffect } from 'react';
import { isTyping } from '../kit/is-typing.ts';

/** Single keys that do something on the page, wherever the focus is, but not while somebody types. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (act === undefined || isTyping(event)) return;
      // The key that leads into a field is not to be typed into it.
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}
