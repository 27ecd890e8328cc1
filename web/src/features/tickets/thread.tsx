import { Box, Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { Fragment, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { TicketMessage } from '#contract/tickets/tickets.ts';
import { t } from '../../api/texts.ts';
import { Message, MessageLog, MessageRule } from '../../entities/ticket/message.tsx';
import { splitByDay } from '../../entities/ticket/split-by-day.ts';
import { downloadAttachment, useMarkRead } from './queries.ts';
import classes from './thread.module.css';
import { useThreadScroll } from './use-thread-scroll.ts';

type ThreadProps = { ticketId: string; messages: readonly TicketMessage[] };

export function Thread({ ticketId, messages }: ThreadProps) {
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
 * Where the line *New* stands: above the first answer that was unseen when it came. Seeing it does not take the line
 * away, or it would be gone before anybody could look for it; an own reply does.
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

const subscribe = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

const isLookedAt = () => document.visibilityState === 'visible';

/** Tells the server what was seen: all messages, once the last one is on a screen that somebody can look at. */
function useMarkSeen(ticketId: string, messages: readonly TicketMessage[], isAtEnd: boolean): void {
  const { mutate } = useMarkRead(ticketId);
  const isVisible = useSyncExternalStore(subscribe, isLookedAt);
  const told = useRef<string>(undefined);
  const last = messages.at(-1)?.id;
  const isDue = isVisible && isAtEnd && firstUnseen(messages) !== undefined;

  useEffect(() => {
    if (!isDue || last === undefined || told.current === last) return;
    told.current = last;
    mutate(last, {
      onError: () => {
        told.current = undefined;
      },
    });
  }, [isDue, last, mutate]);
}

export const firstUnseen = (messages: readonly TicketMessage[]): string | undefined =>
  messages.find(({ author, seen }) => author === 'support' && !seen)?.id;
