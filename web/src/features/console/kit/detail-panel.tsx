import { ActionIcon, Box, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { CopyIcon } from '../../../ui/forms/copy-button.tsx';
import { Banner } from '../../../ui/frame/banner.tsx';
import { consolePath } from '../../../ui/paths.ts';
import { type KeyValue, KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText, TextLink } from '../../../ui/text/text.tsx';
import { GroupedText, TextBox } from '../../../ui/text/text-box.tsx';
import type { Decisions } from './decisions.tsx';
import classes from './list-page.module.css';
import { Missing, OneFailed } from './list-table.tsx';

type DetailPanelProps = {
  /** Its public reference: `WD-93KX7`. */
  title: string;
  /** Its kind, for screen readers: `Withdrawal`. */
  kind: string;
  badge?: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** Buttons besides those of the decisions. */
  foot?: ReactNode;
  decisions?: Decisions;
  /** Below the buttons: their effect, or why there are none. */
  note?: ReactNode;
};

/** Where it covers the list, as in list-page.module.css. */
const COVERING = '(max-width: 74.99em)';

/** The detail of a list row: head and buttons stay, the rest scrolls. Where it covers the list, it takes the focus. */
export function DetailPanel({ title, kind, badge, onClose, children, foot, decisions, note }: DetailPanelProps) {
  const buttons = decisions?.buttons ?? [];
  const heading = useRef<HTMLHeadingElement>(null);
  // Only when it opens: a screen that is turned later leaves the focus where it is.
  useEffect(() => {
    if (window.matchMedia(COVERING).matches) heading.current?.focus();
  }, []);
  return (
    <>
      <aside className={classes.detail} aria-label={`${kind} ${title}`.trim()}>
        <div className={classes.head}>
          <h2 ref={heading} tabIndex={-1} style={{ outline: 0 }}>
            <CodeText>{title}</CodeText>
          </h2>
          {badge}
          <ActionIcon aria-label="Close" onClick={onClose}>
            <IconX size={20} stroke={1.5} aria-hidden />
          </ActionIcon>
        </div>
        {/* Scrollable by keyboard. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus */}
        <section className={classes.body} tabIndex={0} aria-label="Details">
          {decisions?.changed && (
            <DetailLead>
              <Banner tone="amber">{decisions.changed}</Banner>
            </DetailLead>
          )}
          {children}
        </section>
        {(buttons.length > 0 || foot || note) && (
          <DetailFoot note={note}>
            {buttons}
            {foot}
          </DetailFoot>
        )}
      </aside>
      {decisions?.dialog}
    </>
  );
}

/** The buttons, and below them a note. */
export const DetailFoot = ({ note, children }: { note?: ReactNode; children: ReactNode }) => (
  <div className={classes.foot}>
    {children}
    {note && <p>{note}</p>}
  </div>
);

type QueryDetailProps<T> = {
  query: UseQueryOptions<T>;
  kind: string;
  onClose: () => void;
  children: (data: T) => ReactNode;
};

/** A detail with its own query: empty while it loads, with the error if that failed. */
export function QueryDetail<T>({ query, kind, onClose, children }: QueryDetailProps<T>) {
  const read = useQuery(query);
  if (read.data !== undefined) return children(read.data);
  return (
    <DetailPanel title={kind} kind="" onClose={onClose}>
      {read.isError && <OneFailed query={read} what={kind.toLowerCase()} />}
    </DetailPanel>
  );
}

/** The entry that the address names, however old it is: `query` is its list with its id. */
export const OneOfList = <List extends { items: readonly unknown[] }>({
  children,
  ...detail
}: Omit<QueryDetailProps<List>, 'children'> & { children: (row: List['items'][number]) => ReactNode }) => (
  <QueryDetail {...detail}>
    {({ items: [row] }) =>
      row === undefined ? (
        <DetailPanel title={detail.kind} kind="" onClose={detail.onClose}>
          <Missing what={detail.kind.toLowerCase()} />
        </DetailPanel>
      ) : (
        children(row)
      )
    }
  </QueryDetail>
);

/** The most important figure, or a notice, right below the head. */
export const DetailLead = ({ children }: { children: ReactNode }) => (
  <Box px={20} pb="md">
    {children}
  </Box>
);

export function DetailSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <Text component="h3" size="xs" fw={500} c="dimmed" mb="xs">
        {title}
      </Text>
      {children}
    </section>
  );
}

type DetailFactsProps = {
  title: ReactNode;
  items: readonly KeyValue[];
  children?: ReactNode;
};

/** A section of labels and values. */
export const DetailFacts = ({ title, items, children }: DetailFactsProps) => (
  <DetailSection title={title}>
    <KeyValues items={items} />
    {children}
  </DetailSection>
);

/** A member, with the link to their page. */
export const DetailMember = ({ member }: { member: { id: string; name: string; referral_code: string } }) => (
  <DetailSection title="Member">
    <MemberLink member={member} />
  </DetailSection>
);

export const MemberLink = ({ member }: Parameters<typeof DetailMember>[0]) => (
  <Group gap="4px 12px" align="baseline" justify="space-between" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
    <TextLink to={`${consolePath('members')}/${member.id}`}>{member.name}</TextLink>
    <CodeText>{member.referral_code}</CodeText>
  </Group>
);

/** A long text in groups of four, to be compared by eye; `what` names it on the copy button. */
export const CopyBox = ({ value, what }: { value: string; what: string }) => (
  <TextBox copy={<CopyIcon value={value} what={what} />}>
    <GroupedText>{value}</GroupedText>
  </TextBox>
);

/** A dimmed line below another. */
export const Quiet = ({ children }: { children: ReactNode }) => (
  <Text component="small" display="block" size="xs" c="dimmed">
    {children}
  </Text>
);
