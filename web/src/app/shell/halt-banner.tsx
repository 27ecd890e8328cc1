import { Box } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/market/queries.ts';
import { t } from '../../api/texts.ts';
import { Banner } from '../../ui/frame/banner.tsx';

/** Over every page while operators halt trading: the reason, and what continues regardless. */
export function HaltBanner() {
  const { data: session } = useQuery(sessionQuery);
  if (!session?.halt) return null;
  return (
    <Box
      component="section"
      aria-label={t`Trading is halted`}
      px={{ base: 'md', sm: 'lg' }}
      py="sm"
      style={{ borderBottom: '1px solid var(--tw-line)' }}
    >
      <Banner tone="amber" icon={<IconHandStop size={20} stroke={1.5} />} title={t`Trading is halted`}>
        {session.halt.reason}
        <br />
        {t`You cannot place trades for now. Open trades continue, and you can close them at any time.`}
      </Banner>
    </Box>
  );
}
