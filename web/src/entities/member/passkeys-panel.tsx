import { Box, Button, Group, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { passkeyRules } from '#contract/rules.ts';
import { canUsePasskeys } from '../../api/can-use-passkeys.ts';
import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { Rows } from '../../ui/layout/rows.tsx';

type PasskeysPanelProps = {
  /** Undefined while they are not known. */
  passkeys: readonly Passkey[] | undefined;
  /** In their place then. */
  unknown: ReactNode;
  onAdd: () => void;
  onRename: (passkey: Passkey) => void;
  onRemove: (passkey: Passkey) => void;
  /** The dialogs that these open. */
  children?: ReactNode;
};

/** What signs somebody in without a code: of members and of operators alike. */
export function PasskeysPanel({ passkeys, unknown, onAdd, onRename, onRemove, children }: PasskeysPanelProps) {
  const mayAdd = passkeys !== undefined && passkeys.length < passkeyRules.most && canUsePasskeys();
  return (
    <Panel
      title={t`Passkeys`}
      padded={false}
      rule
      control={
        mayAdd && (
          <Button size="sm" variant="default" onClick={onAdd}>
            {t`Add passkey`}
          </Button>
        )
      }
    >
      {passkeys !== undefined && passkeys.length > 0 ? (
        <Rows>
          {passkeys.map((passkey) => (
            <OnePasskey
              key={passkey.id}
              passkey={passkey}
              onRename={() => onRename(passkey)}
              onRemove={() => onRemove(passkey)}
            />
          ))}
        </Rows>
      ) : (
        <Box px={{ base: 'md', sm: 20 }} py="md" fz="sm" c="var(--tw-text-2)">
          {passkeys === undefined
            ? unknown
            : canUsePasskeys()
              ? t`No passkeys yet. With a passkey you sign in by fingerprint, face or PIN, and no copied page can ask for it.`
              : t`Passkeys need a browser that supports them and a domain name.`}
        </Box>
      )}
      {children}
    </Panel>
  );
}

type OneProps = { passkey: Passkey; onRename: () => void; onRemove: () => void };

function OnePasskey({ passkey, onRename, onRemove }: OneProps) {
  const { name, synced, created_at, last_used_at } = passkey;
  return (
    <Group component="li" gap="10px 14px">
      <IconFingerprint size={20} stroke={1.5} color="var(--tw-text-3)" aria-hidden />
      <Box flex="1 1 160px" miw={0}>
        <Text fw={500} inherit style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {last_used_at === null ? t`Not used yet` : t`Last used ${formatDateTime(last_used_at)}`}
          {synced && ` · ${t`synced`}`}
        </Text>
        <Text size="xs" c="dimmed">
          {t`Added ${formatDateTime(created_at)}`}
        </Text>
      </Box>
      <Group gap="xs" wrap="nowrap">
        <Button size="sm" variant="default" aria-label={t`Rename: ${name}`} onClick={onRename}>
          {t`Rename`}
        </Button>
        <Button size="sm" variant="default" aria-label={t`Remove: ${name}`} onClick={onRemove}>
          {t`Remove`}
        </Button>
      </Group>
    </Group>
  );
}
