import { Stack, Switch } from '@mantine/core';
import type { MailTopic } from '#contract/notify.ts';
import { changeLanguage, t } from '../../api/texts.ts';
import { LanguageSelect } from '../../ui/forms/language-select.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { TableError } from '../../ui/table/data-table-states.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { useMailPreferences, useSetMailPreferences } from './queries.ts';

const topics: readonly { topic: MailTopic; label: string; description: string }[] = [
  { topic: 'deposits', label: t`Deposits`, description: t`Credited, failed or under review` },
  { topic: 'tickets', label: t`Queries`, description: t`Answered or closed by our team` },
  { topic: 'incomes', label: t`Incomes`, description: t`Bonuses, weekly and monthly income, rewards` },
  { topic: 'trading', label: t`Trading`, description: t`Settled sessions, cancelled trades, plans that pause or skip` },
];

/** What is also sent by email; the drawer always lists everything. */
export function MailPreferencesPanel() {
  const { query, now } = useMailPreferences();
  const change = useSetMailPreferences();
  // Of its own: what follows a reply is dropped once the same hook sends something else.
  const choose = useSetMailPreferences();
  // Switches would show everything as off.
  if (query.isLoadingError) {
    return (
      <Panel title={t`Email notifications`}>
        <TableError isList={false} query={query} />
      </Panel>
    );
  }
  return (
    <Panel title={t`Email notifications`}>
      <Stack>
        <LanguageSelect
          disabled={now === undefined}
          onChoose={(language) => choose.mutate({ language }, { onSuccess: () => changeLanguage(language) })}
        />
        {topics.map(({ topic, label, description }) => (
          <Switch
            key={topic}
            label={label}
            description={description}
            labelPosition="left"
            styles={{
              body: { justifyContent: 'space-between' },
              label: { paddingInline: 0 },
              // The off state is as visible as on: contrast 3:1 against the card.
              track: { border: '1px solid var(--tw-field)' },
            }}
            checked={now?.[topic] ?? false}
            disabled={now === undefined}
            onChange={(event) => change.mutate({ [topic]: event.currentTarget.checked })}
          />
        ))}
        <Note>{t`Emails about sign-ins, your payout address and your withdrawals are always sent.`}</Note>
      </Stack>
    </Panel>
  );
}
