import { Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { MailTopic } from '#contract/notify.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { mailPreferencesQuery, useSetMailPreferences } from './queries.ts';

const topics: readonly { topic: MailTopic; label: string; description: string }[] = [
  { topic: 'deposits', label: 'Deposits', description: 'Credited, failed or under review' },
  { topic: 'tickets', label: 'Queries', description: 'Answered or closed by our team' },
  { topic: 'incomes', label: 'Incomes', description: 'Bonuses, weekly and monthly income, rewards' },
  { topic: 'trading', label: 'Trading', description: 'Settled sessions and plans that pause' },
];

/** What also goes by mail. Everything stands in the drawer whatever is chosen here. */
export function MailPreferencesPanel() {
  const preferences = useQuery(mailPreferencesQuery);
  const change = useSetMailPreferences();
  const now = preferences.data;
  return (
    <Panel title="Mails">
      <Stack>
        {topics.map(({ topic, label, description }) => (
          <Switch
            key={topic}
            label={label}
            description={description}
            labelPosition="left"
            styles={{
              body: { justifyContent: 'space-between' },
              label: { paddingInline: 0 },
              // Off is as plain to see as on: three to one against the card.
              track: { border: '1px solid var(--tw-field)' },
            }}
            // A choice shows at once, before the server has answered.
            checked={(change.isPending ? change.variables[topic] : undefined) ?? now?.[topic] ?? false}
            disabled={now === undefined}
            onChange={(event) => change.mutate({ [topic]: event.currentTarget.checked })}
          />
        ))}
        <Text size="xs" c="dimmed">
          Mails about your sign-in, your payout address and your withdrawals are always sent.
        </Text>
      </Stack>
    </Panel>
  );
}
