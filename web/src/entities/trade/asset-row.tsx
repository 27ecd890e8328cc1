import { Group, Stack, Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { percentOf } from '../../ui/format/number.ts';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Percent, SignedMoney } from '../../ui/text/money.tsx';

type AssetRowProps = ComponentProps<typeof AssetLink> & { children: ReactNode; action?: ReactNode };

/** A list entry: its subject left, its figures aligned, and its actions. */
export const AssetRow = ({ children, action, ...link }: AssetRowProps) => (
  <Group wrap="nowrap" gap="sm" w="100%">
    <Group flex={1} miw={0}>
      <AssetLink {...link} />
    </Group>
    <Stack component="span" gap={0} ta="right">
      {children}
    </Stack>
    {action}
  </Group>
);

/** A signed result, with its percentage of the amount below; a dash while there is none. */
export function Pnl({ value, of }: { value: number | null | undefined; of: number }) {
  if (value === null || value === undefined)
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  return (
    <>
      <Text span inherit fw={500}>
        <SignedMoney value={value} />
      </Text>
      <Text component="small" display="block" size="xs">
        <Percent value={percentOf(value, of)} signed />
      </Text>
    </>
  );
}
