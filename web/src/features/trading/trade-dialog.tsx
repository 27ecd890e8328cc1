import { Box, Flex, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { tradingHours } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { waitReason } from '../../api/market/waits-labels.ts';
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
  /** Preselects this asset. */
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
      // While a request is running the dialog stays open: closing it would hide the outcome.
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
 * Placeholder of the content's height: a direct link opens the dialog before the market has loaded, and nothing shifts.
 */
const awaited = {
  feed: {
    kind: 'simulated',
    label: t`Simulated market`,
    at: '2026-01-01T12:30:00Z',
    speed: 60,
    stale: false,
    ended: false,
  },
  opens_at: '2026-01-01T12:30:00Z',
  closes_at: '2026-01-01T17:30:00Z',
} as const;
const hidden = { visibility: 'hidden' } as const;

/**
 * The mode label with the running market time. The title is the dialog's accessible name, which must not change every
 * second: so only the mode is part of it.
 */
function TitleMode() {
  const { session, now } = useMarketClock();
  const feed = session?.feed ?? awaited.feed;
  // Outside paper mode there may be none, and no room is reserved for it.
  if (!feed.label || (!session && appInfo.mode !== 'paper')) return null;
  return (
    <>
      {session && <VisuallyHidden>, {translate(feed.label)}</VisuallyHidden>}
      <span aria-hidden="true" style={session ? undefined : hidden}>
        <ModeLabel feed={feed} at={session ? now : feed.at} />
      </span>
    </>
  );
}

/**
 * The trade banner: the two sentences with the specified hours, the viewer's local hours, and the current session
 * state.
 */
function SessionLine() {
  const { session } = useMarketClock();
  const { opens_at, closes_at } = session ?? awaited;
  const waits = waitReason(session);
  return (
    <Group
      flex="none"
      wrap="nowrap"
      gap="sm"
      px={{ base: 'md', sm: 'lg' }}
      py={{ base: 10, sm: 'sm' }}
      bg="var(--tw-surface-2)"
      fz="sm"
      lh="1.25rem"
      style={{ borderBottom: '1px solid var(--tw-line)' }}
    >
      <IconClock size={20} stroke={1.5} aria-hidden color="var(--tw-text-2)" />
      <Group flex={1} gap="0 12px">
        <Group flex="1 1 300px" gap="0 24px" fw={500}>
          <span>{translate(tradingHours.us)}</span>
          <span>{translate(tradingHours.india)}</span>
        </Group>
        <Box miw={session ? undefined : 170}>
          <SessionState />
        </Box>
        <Box w="100%" c="var(--tw-text-2)">
          <Text inherit style={session ? undefined : hidden}>
            {t`${formatLocalHours(opens_at, closes_at)} your time (${localPlace()})`}
          </Text>
          {waits !== null && <p role="status">{waits}</p>}
        </Box>
      </Group>
    </Group>
  );
}
