import { Button, Group, Paper, Text } from '@mantine/core';
import { appInfo } from '../../api/app-info.ts';
import { t } from '../../api/texts.ts';
import { CodeText } from '../../ui/text/text.tsx';

type Login = { label: string; id: string; password: string };

/** Only the demo world has them. */
export function DemoLogins({ onChoose }: { onChoose: (login: Login) => void }) {
  const logins = appInfo.demo?.logins ?? [];
  if (logins.length === 0) return null;
  return (
    <Paper
      component="section"
      aria-label={t`Demo accounts`}
      mt={28}
      px="md"
      py="sm"
      bg="var(--tw-amber-tint)"
      bd="1px dashed var(--tw-amber-line)"
    >
      <Text component="h2" size="xs" fw={500} c="var(--tw-amber)">{t`Demo accounts`}</Text>
      <ul>
        {logins.map((login) => (
          <Group key={login.id} component="li" justify="space-between" gap="sm" wrap="nowrap" mt="sm">
            <div>
              <Text component="b" display="block" size="sm" fw={500}>
                {login.label}
              </Text>
              <Text size="xs" c="var(--tw-text-2)" style={{ overflowWrap: 'anywhere' }}>
                <CodeText>{`${login.id} · ${login.password}`}</CodeText>
              </Text>
            </div>
            <Button
              size="sm"
              variant="default"
              aria-label={t`Fill in ${login.label}`}
              onClick={() => onChoose(login)}
            >{t`Fill in`}</Button>
          </Group>
        ))}
      </ul>
    </Paper>
  );
}
