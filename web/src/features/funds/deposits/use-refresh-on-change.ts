import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Deposit } from '#contract/funds/deposits.ts';

/** When a deposit moves on while it is watched, balances, lists and notifications on screen are out of date. */
export function useRefreshOnChange(deposit: Deposit | undefined): void {
  const client = useQueryClient();
  const before = useRef<Deposit>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = deposit;
    if (was !== undefined && was.id === deposit?.id && was.state !== deposit.state) void client.invalidateQueries();
  }, [client, deposit]);
}
