import { useEffect, useState } from 'react';

/** Real time in milliseconds, updated every second: for codes and invoices. Market time has its own clock. */
export function useRealNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
