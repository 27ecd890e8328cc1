import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Trade } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { useCloseTrade } from './queries.ts';

type CloseNowProps = {
  trade: Trade;
  /** row: small, in a table; icon: where a row has no room for a label; wide: the button of a card. */
  variant: 'row' | 'icon' | 'wide';
};

/**
 * *Close now*, which asks for confirmation with the trade and its result; afterwards it shows *Closing* until the next
 * price.
 */
export function CloseNow({ trade, variant }: CloseNowProps) {
  const [asking, setAsking] = useState(false);
  const close = useCloseTrade();
  const pair = pairOf(trade.symbol);
  if (trade.closing || trade.state === 'settling') {
    return (
      <StateBadge of="trade" state="settling">
        {trade.closing ? t`Closing` : t`Settling`}
      </StateBadge>
    );
  }

  const confirm = () =>
    close.mutate(trade.id, {
      onSuccess: () => {
        toast.info(t`Closing ${pair}`, t`The trade closes at the next price.`);
        setAsking(false);
      },
    });
  return (
    <>
      <Button
        variant="default"
        size={variant === 'row' ? 'sm' : 'lg'}
        fullWidth={variant === 'wide'}
        {...(variant === 'icon' && { w: 44, p: 0 })}
        aria-label={variant === 'wide' ? undefined : t`Close now: ${pair}, ${formatMoney(trade.amount, 'typed')}`}
        onClick={() => setAsking(true)}
      >
        {variant === 'icon' ? <IconX size={16} stroke={1.5} aria-hidden /> : t`Close now`}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t`Close ${pair} now?`}
        keep={t`Keep trade open`}
        confirm={t`Close now`}
        busy={close.isPending}
        busyLabel={t`Closing`}
        refused={close.error}
        onConfirm={confirm}
      >
        <p>
          <Trans
            text={
              trade.execution
                ? t`The exchange sells it: at its price, less its fee and half the spread. Unrealised P&L before its fee: <pnl/>. The final P&L can differ.`
                : t`The trade closes at the next market price, less half the spread. Unrealised P&L after fees: <pnl/>. The final P&L can differ.`
            }
            pnl={
              <b>
                <SignedMoney value={trade.live?.result} />
              </b>
            }
          />
        </p>
      </ConfirmDialog>
    </>
  );
}
