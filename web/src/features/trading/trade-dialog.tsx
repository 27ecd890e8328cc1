import { Box, Flex, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { tradingHours } from '#contract/rules.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { waitsWords } from '../../api/market/waits-labels.ts';
import { t, translate } from '../../api/texts.ts';
import { formatLocalHours, localPlace } from '../../ui/format/time.ts';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { ModeLabel } from '../../ui/frame/mode-label.tsx';
import { SessionState } from '../../ui/frame/session-state.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { TradeForm } from './trade-form.tsx';

type TradeDialogProps = {
  opened: boolean;
  onClose: () => void;
  /** Chooses this asset to begin with. */
  symbol?: string | undefined;
};

/** *Trade*: wallet, asset, amount, what it costs and when it settles (docs/trading.md). */
export function TradeDialog({ opened, onClose, symbol }: TradeDialogProps) {
  const narrow = useNarrow();
  const [isSending, setSending] = useState(false);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      isSheet
      withCloseButton
      size={900}
      // While money is being sent the dialog stays: leaving would hide how it ended.
      isHeld={isSending}
      styles={{
        inner: { paddingInline: narrow ? 0 : 24 },
        content: { overflow: 'hidden', maxHeight: narrow ? '100dvh' : 'calc(100dvh - 48px)' },
        header: { flex: 'none' },
        body: { minHeight: 0, padding: 0 },
      }}
      title={
        <Flex component="span" wrap="wrap" align="center" gap="2px 12px">
          {t`Trade`} <TitleMode />
        </Flex>
      }
    >
      <SessionLine />
      <TradeForm symbol={symbol} onSending={setSending} onPlaced={onClose} />
    </Dialog>
  );
}

/**
 * The mode label with the market time running. The title is the dialog's name, and a name that changes each second
 * cannot be listened to: so only the mode is part of it.
 */
function TitleMode() {
  const { session, now } = useMarketClock();
  if (!session?.feed.label) return null;
  return (
    <>
      <VisuallyHidden>, {translate(session.feed.label)}</VisuallyHidden>
      <span aria-hidden="true">
        <ModeLabel feed={session.feed} at={now} />
      </span>
    </>
  );
}

/** The trade banner: the two sentences of the hours as given, the viewer's own, and how the session stands now. */
function SessionLine() {
  const { session } = useMarketClock();
  const waits = waitsWords(session);
  return (
    <Group
      flex="none"
      wrap="nowrap"
      gap="sm"
      px={{ base: 'md', sm: 'lg' }}
      py={{ base: 10, sm: 'sm' }}
      bg="var(--tw-surface-2)"
      fz="sm"
      lh="20px"
      style={{ borderBottom: '1px solid var(--tw-line)' }}
    >
      <IconClock size={20} stroke={1.5} aria-hidden color="var(--tw-text-2)" />
      <Group flex={1} gap="0 12px">
        <Group flex="1 1 300px" gap="0 24px" fw={500}>
          <span>{translate(tradingHours.us)}</span>
          <span>{translate(tradingHours.india)}</span>
        </Group>
        <SessionState />
        <Box w="100%" c="var(--tw-text-2)">
          {session && (
            <Text inherit>
              {t`${formatLocalHours(session.opens_at, session.closes_at)} your time (${localPlace()})`}
            </Text>
          )}
          {waits !== null && <p role="status">{waits}</p>}
        </Box>
      </Group>
    </Group>
  );
}
