import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** In px: this near the end of the page somebody reads the last message. */
const NEAR = 96;

const isNearEnd = () => document.documentElement.scrollHeight - window.innerHeight - window.scrollY < NEAR;

const subscribe = (listener: () => void) => {
  window.addEventListener('scroll', listener, { passive: true });
  window.addEventListener('resize', listener);
  return () => {
    window.removeEventListener('scroll', listener);
    window.removeEventListener('resize', listener);
  };
};

const toEnd = () => window.scrollTo(0, document.documentElement.scrollHeight);

/**
 * The page opens at the first new message, or at the end. New messages move whoever reads the end along with them, and
 * leave everybody else where they are.
 */
export function useThreadScroll(count: number) {
  const newLine = useRef<HTMLParagraphElement>(null);
  const isNear = useSyncExternalStore(subscribe, isNearEnd);
  // As it was before the messages were drawn that are there now.
  const wasNear = useRef(true);
  const [isPlaced, setPlaced] = useState(false);

  useLayoutEffect(() => {
    if (isPlaced) return;
    // After the router has put the new page to its top.
    const frame = requestAnimationFrame(() => {
      if (newLine.current) newLine.current.scrollIntoView({ block: 'center' });
      else toEnd();
      setPlaced(true);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaced]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: more messages are what moves the page
  useLayoutEffect(() => {
    if (isPlaced && wasNear.current) toEnd();
  }, [count]);

  useLayoutEffect(() => {
    wasNear.current = isNear;
  }, [isNear]);

  // Before the page is in its place nobody has seen its end.
  return { isAtEnd: isPlaced && isNear, isPlaced, newLine, toEnd };
}
