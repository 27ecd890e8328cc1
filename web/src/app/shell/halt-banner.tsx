import { IconHandStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/market/queries.ts';
import { t } from '../../api/texts.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { Strip } from './strip.tsx';

/** Over every page while operators halt trading: the reason, and what continues regardless. */
export function HaltBanner() {
  const { data: session } = useQuery(sessionQuery);
  if (!session?.halt) return null;
  return (
    <Strip aria-label={t`Trading is halted`}>
      <Banner tone="amber" icon={<IconHandStop size={20} stroke={1.5} />} title={t`Trading is halted`}>
        {session.halt.reason}
        <br />
        {t`You cannot place trades for now. Open trades continue, and you can close them at any time.`}
      </Banner>
    </Strip>
  );
}
