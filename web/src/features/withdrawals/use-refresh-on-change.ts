import { useEffect, useRef } from 'react';
import type { Withdrawal } from '#contract/funds/withdrawals.ts';
import { useRefreshOwn } from '../../api/trading-queries.ts';

/** When a withdrawal moves on while it is watched, balances, lists and notifications on screen are out of date. */
export function useRefreshOnChange(withdrawal: Withdrawal | undefined): void {
  const refreshOwn = useRefreshOwn();
  const before = useRef<Withdrawal>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = withdrawal;
    if (was !== undefined && was.id === withdrawal?.id && was.state !== withdrawal.state) void refreshOwn();
  }, [refreshOwn, withdrawal]);
}
