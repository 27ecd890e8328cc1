import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** A waiting time: `< 1 min`, `7 min`, `2 h 14 min`, `3 d 4 h`; whole minutes, rounded down. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return '< 1 min';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const STEP_MS = 15_000;

/** Real time in milliseconds, updated every 15 seconds, so that long lists are not rendered every second. */
export function useSlowNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
