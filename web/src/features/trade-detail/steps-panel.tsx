import { Avatar, Group, Stack, Text, Title } from '@mantine/core';
import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { t, translate } from '../../api/texts.ts';
import { formatPrice } from '../../ui/format/price.ts';
import { formatDate, formatSeconds, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { eventLabels } from './labels.ts';

/** The trade's events with their reasons, numbered as on its chart. */
export function StepsPanel({ detail }: { detail: TradeDetail }) {
  const { events, decisions, trade } = detail;
  return (
    <Panel title={t`Timeline`}>
      <Stack component="ol" gap={14} fz="sm" lh="20px">
        {events.map(({ kind, at, mark, words }, index) => (
          <Group key={`${kind}${at}`} component="li" wrap="nowrap" align="flex-start" gap="sm">
            <Avatar size={20} radius="xl" fz="var(--tw-fs-11)" aria-hidden>
              {index + 1}
            </Avatar>
            <div>
              <b>{eventLabels[kind]}</b>
              <Text size="xs" c="dimmed">
                {formatDate(at)}, {formatSeconds(at)} UTC
                {mark !== null && (
                  <>
                    {' · '}
                    {t`Mark price ${formatPrice(mark, trade.symbol)}`}
                  </>
                )}
              </Text>
              <Text inherit c="var(--tw-text-2)">
                {translate(words)}
              </Text>
            </div>
          </Group>
        ))}
      </Stack>
      {decisions.length > 0 && (
        <Stack gap="xs" mt="md" pt="sm" c="var(--tw-text-2)" fz="sm" style={{ borderTop: '1px solid var(--tw-line)' }}>
          <Title order={3} c="var(--tw-text)">{t`Strategy decisions`}</Title>
          <ul>
            {decisions.map(({ at, side, words }) => (
              <li key={side}>
                <Text span size="xs" c="dimmed">
                  {formatTime(at)} UTC
                </Text>{' '}
                {translate(words)}
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </Panel>
  );
}
