import { useEffect, useRef } from 'react';
import { useRefreshOwn } from './trading-queries.ts';

/** When a payment moves on while it is watched, balances, lists and notifications on screen are out of date. */
export function useRefreshOnChange(payment: { id: string; state: string } | undefined): void {
  const refreshOwn = useRefreshOwn();
  const before = useRef<typeof payment>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = payment;
    if (was !== undefined && was.id === payment?.id && was.state !== payment.state) void refreshOwn();
  }, [refreshOwn, payment]);
}
