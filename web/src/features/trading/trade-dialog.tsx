import { Flex } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useOpenedAfterMount } from '../../ui/use-opened-after-mount.ts';
import { SessionLine, TitleMode } from './session-line.tsx';
import classes from './trade-dialog.module.css';
import { TradeForm } from './trade-form.tsx';

type TradeDialogProps = {
  opened: boolean;
  onClose: () => void;
  /** Chooses this asset to begin with. */
  symbol?: string | undefined;
};

/** *Trade*: wallet, asset, amount, what it costs and when it settles (specification point 2). */
export function TradeDialog({ opened, onClose, symbol }: TradeDialogProps) {
  const narrow = useNarrow();
  const isOpen = useOpenedAfterMount(opened);
  const [isSending, setSending] = useState(false);
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      size={900}
      padding={0}
      fullScreen={narrow}
      radius={narrow ? 0 : undefined}
      // While money is being sent the dialog stays: leaving would hide how it ended.
      isHeld={isSending}
      classNames={{ inner: classes.inner, content: classes.content, header: classes.header, body: classes.body }}
      title={
        <Flex component="span" wrap="wrap" align="center" gap="2px 12px">
          Trade <TitleMode />
        </Flex>
      }
    >
      <SessionLine />
      <TradeForm symbol={symbol} onSending={setSending} onPlaced={onClose} />
    </Dialog>
  );
}
