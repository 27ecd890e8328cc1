import { Button, Flex } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Trade } from '#contract/trading/trading.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { SignedMoney } from '../../ui/text/money.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import classes from './close-now.module.css';
import { useCloseTrade } from './queries.ts';

type CloseNowProps = {
  trade: Trade;
  /** row: small, in a table; icon: where a row has no room for words; wide: the button of a card. */
  look: 'row' | 'icon' | 'wide';
};

/** *Close now* with the question that names the trade and its result; afterwards it says *Closing* until the next price. */
export function CloseNow({ trade, look }: CloseNowProps) {
  const [asking, setAsking] = useState(false);
  const close = useCloseTrade();
  const pair = pairOf(trade.symbol);
  if (trade.closing || trade.state === 'settling') {
    return (
      <StateBadge of="trade" state="settling">
        {trade.closing ? 'Closing' : 'Settling'}
      </StateBadge>
    );
  }

  const confirm = () =>
    close.mutate(trade.id, {
      onSuccess: () => toast.info(`Closing ${pair}`, 'It is sold at the next price.'),
      onSettled: () => setAsking(false),
    });
  const name = `Close now: ${pair}`;
  return (
    <>
      {look === 'icon' ? (
        <Button variant="default" className={classes.icon} aria-label={name} onClick={() => setAsking(true)}>
          <IconX size={16} stroke={1.5} aria-hidden />
        </Button>
      ) : (
        <Button
          variant="default"
          size={look === 'row' ? 'sm' : 'lg'}
          fullWidth={look === 'wide'}
          aria-label={look === 'row' ? name : undefined}
          onClick={() => setAsking(true)}
        >
          Close now
        </Button>
      )}
      <Dialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Close ${pair} now?`}
        size={420}
        withCloseButton={false}
        isHeld={close.isPending}
      >
        <p className={classes.words}>
          It closes at the market price, less half the spread. The result now is{' '}
          <b>
            <SignedMoney value={trade.live?.result} />
          </b>{' '}
          after fees; the next price decides.
        </p>
        <Flex justify="flex-end" gap={8} mt={20}>
          <Button variant="subtle" disabled={close.isPending} onClick={() => setAsking(false)} data-autofocus>
            Keep it open
          </Button>
          <BusyButton busy={close.isPending} busyLabel="Closing" onClick={confirm}>
            Close now
          </BusyButton>
        </Flex>
      </Dialog>
    </>
  );
}
