import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { appInfo } from '../../api/app-info.ts';

type PageHeadProps = {
  title: ReactNode;
  /** One line of facts below the title. */
  facts?: ReactNode;
  /** At most two default buttons and one primary. */
  children?: ReactNode;
};

/** The head of every page. It also sets the document title. */
export function PageHead({ title, facts, children }: PageHeadProps) {
  return (
    <Group justify="space-between" align="flex-end" gap="12px 16px" mih={40} mb={4}>
      {typeof title === 'string' && <title>{`${title} · ${appInfo.brandName}`}</title>}
      {/* Long facts wrap before the buttons do. */}
      <Box miw={0} maw={children ? { sm: '66%' } : undefined}>
        <Title order={1} fz="xl" lts="-0.015em" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {facts && (
          <Text fz="sm" lh="1.25rem" c="dimmed">
            {facts}
          </Text>
        )}
      </Box>
      {children && <Group gap={8}>{children}</Group>}
    </Group>
  );
}

/** A fact that is still loading reserves its room, so that nothing shifts. */
export const Awaited = ({ isThere, children }: { isThere: boolean; children: ReactNode }) => (
  <Box component="span" style={{ visibility: isThere ? undefined : 'hidden' }}>
    {children}
  </Box>
);
