import { randomUUID } from 'node:crypto';
import type { Clock } from './clock-sql.ts';

/** The name this process holds the clock under. */
export const thisProcess = randomUUID();

type Lease = Pick<Clock, 'holder' | 'heldUntil'>;

const isHeld = ({ holder, heldUntil }: Lease, now: Date): boolean =>
  holder !== null && heldUntil !== null && heldUntil > now;

export const isHeldBy = (lease: Lease, holder: string, now: Date): boolean =>
  isHeld(lease, now) && lease.holder === holder;

export const isHeldByAnother = (lease: Lease, holder: string, now: Date): boolean =>
  isHeld(lease, now) && lease.holder !== holder;
