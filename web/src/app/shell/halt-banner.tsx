import { IconHandStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/market/queries.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import classes from './halt-banner.module.css';

/** Over every page while operators halt trading: why, and what goes on all the same. */
export function HaltBanner() {
  const { data: session } = useQuery(sessionQuery);
  if (!session?.halt) return null;
  return (
    <section className={classes.place} aria-label="Trading is halted">
      <Banner tone="amber" icon={<IconHandStop size={20} stroke={1.5} />} title="Trading is halted">
        {session.halt.reason}
        <br />
        Nothing can be placed for now. Open trades go on and can be closed at any time.
      </Banner>
    </section>
  );
}
