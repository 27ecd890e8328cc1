import { useEffect, useLayoutEffect, useRef } from 'react';

/** A thread opens at its end. New messages move whoever reads the end along, and leave everybody else where they are. */
export function useStayAtEnd(count: number) {
  const end = useRef<HTMLDivElement>(null);
  const isSeen = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: more messages are what moves the page
  useLayoutEffect(() => {
    if (!isSeen.current) return;
    const toEnd = () => end.current?.scrollIntoView({ block: 'nearest' });
    toEnd();
    // The field below takes its height after it was drawn, and would cover the last line.
    const frame = requestAnimationFrame(toEnd);
    return () => cancelAnimationFrame(frame);
  }, [count]);

  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver((entries) => {
      isSeen.current = entries.at(-1)?.isIntersecting ?? false;
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);

  return end;
}
