import { Button, Group, Paper, Text } from '@mantine/core';
import { appInfo } from '../../api/app-info.ts';
import { CodeText } from '../../ui/text/code-text.tsx';

type Login = { label: string; id: string; password: string };

/** The accounts of the demo world, to try it with; there are none outside of it. */
export function DemoLogins({ onChoose }: { onChoose: (login: Login) => void }) {
  const logins = appInfo.demo?.logins ?? [];
  if (logins.length === 0) return null;
  return (
    <Paper
      component="section"
      aria-label="Demo accounts"
      mt={28}
      px="md"
      py="sm"
      bg="var(--tw-amber-tint)"
      bd="1px dashed var(--tw-amber-line)"
    >
      <Text component="h2" size="xs" fw={500} c="var(--tw-amber)">
        Demo accounts
      </Text>
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
            <Button size="sm" variant="default" aria-label={`Fill in ${login.label}`} onClick={() => onChoose(login)}>
              Fill in
            </Button>
          </Group>
        ))}
      </ul>
    </Paper>
  );
}
