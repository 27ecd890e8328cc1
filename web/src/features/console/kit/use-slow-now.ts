import { useEffect, useState } from 'react';

const STEP_MS = 15_000;

/** Real time in milliseconds, told four times a minute: for ages in minutes, so that long lists are not drawn each second. */
export function useSlowNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
