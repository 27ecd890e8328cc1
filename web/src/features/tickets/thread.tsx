import { Box, Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { Fragment, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { TicketMessage } from '#contract/tickets/tickets.ts';
import { useOpenedBy } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { Message, MessageLog, MessageRule } from '../../entities/ticket/message.tsx';
import { splitByDay } from '../../entities/ticket/split-by-day.ts';
import { downloadAttachment, useMarkRead } from './queries.ts';
import classes from './thread.module.css';

export function Thread({ ticketId, messages }: { ticketId: string; messages: readonly TicketMessage[] }) {
  const newFrom = useNewLine(messages);
  const { isAtEnd, isPlaced, newLine, toEnd } = useThreadScroll(messages.length);
  useMarkSeen(ticketId, messages, isAtEnd);
  const lastOwn = messages.findLast(({ author }) => author === 'member')?.id;
  const hasMoreBelow = isPlaced && !isAtEnd && firstUnseen(messages) !== undefined;

  return (
    <>
      <Box flex={1} p="md">
        <MessageLog>
          {splitByDay(messages).map(({ day, messages: ofDay }) => (
            <Fragment key={day}>
              <MessageRule>{day}</MessageRule>
              {ofDay.map((message) => (
                <Fragment key={message.id}>
                  {message.id === newFrom && <MessageRule isNew ref={newLine}>{t`New`}</MessageRule>}
                  <Message
                    message={message}
                    by={nameOf(message)}
                    isOwn={message.author === 'member'}
                    download={downloadAttachment}
                    seen={
                      message.id === lastOwn
                        ? { isSeen: message.seen, words: message.seen ? t`Seen` : t`Sent` }
                        : undefined
                    }
                  />
                </Fragment>
              ))}
            </Fragment>
          ))}
        </MessageLog>
      </Box>
      {hasMoreBelow && (
        <div className={classes.more}>
          <Button
            size="sm"
            leftSection={<IconArrowDown size={14} stroke={1.5} aria-hidden />}
            onClick={toEnd}
          >{t`New messages`}</Button>
        </div>
      )}
    </>
  );
}

const nameOf = ({ author, name }: TicketMessage): string =>
  author === 'member' ? t`You` : name === '' ? t`Support` : t`${name}, support`;

/**
 * The position of the *New* line: above the first answer that was unseen when it arrived. Seeing the answer does not
 * remove the line, or it would vanish before anybody noticed it; a reply does.
 */
function useNewLine(messages: readonly TicketMessage[]): string | undefined {
  const unseen = firstUnseen(messages);
  const [newFrom, setNewFrom] = useState(unseen);
  const last = messages.at(-1);

  useEffect(() => {
    if (last?.author === 'member') setNewFrom(undefined);
    else setNewFrom((now) => now ?? unseen);
  }, [last?.author, unseen]);

  return newFrom;
}

const subscribeVisible = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

const isPageVisible = () => document.visibilityState === 'visible';

/** Reports what was seen: all messages, once the last one is visible on a visible page. */
function useMarkSeen(ticketId: string, messages: readonly TicketMessage[], isAtEnd: boolean): void {
  const { mutate } = useMarkRead(ticketId);
  const isVisible = useSyncExternalStore(subscribeVisible, isPageVisible);
  const reportedId = useRef<string>(undefined);
  const last = messages.at(-1)?.id;
  // A read by support access does not count as the member's.
  const isOwn = useOpenedBy() === undefined;
  const isDue = isOwn && isVisible && isAtEnd && firstUnseen(messages) !== undefined;

  useEffect(() => {
    if (!isDue || last === undefined || reportedId.current === last) return;
    reportedId.current = last;
    mutate(last, {
      onError: () => {
        reportedId.current = undefined;
      },
    });
  }, [isDue, last, mutate]);
}

export const firstUnseen = (messages: readonly TicketMessage[]): string | undefined =>
  messages.find(({ author, seen }) => author === 'support' && !seen)?.id;

/** In px: within this distance from the end, the last message counts as read. */
const NEAR = 96;

const isNearEnd = () => document.documentElement.scrollHeight - window.innerHeight - window.scrollY < NEAR;

const subscribeScroll = (listener: () => void) => {
  window.addEventListener('scroll', listener, { passive: true });
  window.addEventListener('resize', listener);
  return () => {
    window.removeEventListener('scroll', listener);
    window.removeEventListener('resize', listener);
  };
};

const toEnd = () => window.scrollTo(0, document.documentElement.scrollHeight);

/** The page opens at the first new message, or at the end. New messages scroll the page only if its end is in view. */
function useThreadScroll(count: number) {
  const newLine = useRef<HTMLParagraphElement>(null);
  const isNear = useSyncExternalStore(subscribeScroll, isNearEnd);
  // The scroll state before the current messages were rendered.
  const wasNear = useRef(true);
  const [isPlaced, setPlaced] = useState(false);

  useLayoutEffect(() => {
    if (isPlaced) return;
    // After the router has scrolled the new page to its top.
    const frame = requestAnimationFrame(() => {
      if (newLine.current) newLine.current.scrollIntoView({ block: 'center' });
      else toEnd();
      setPlaced(true);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaced]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: more messages are what moves the page
  useLayoutEffect(() => {
    if (isPlaced && wasNear.current) toEnd();
  }, [count]);

  useLayoutEffect(() => {
    wasNear.current = isNear;
  }, [isNear]);

  // Before the page is scrolled into place, its end does not count as seen.
  return { isAtEnd: isPlaced && isNear, isPlaced, newLine, toEnd };
}
