import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { useMember } from '../../api/sign-in-state.ts';
import { balancesQuery } from '../../api/trading-queries.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Mark } from '../../ui/frame/logo.tsx';
import { ModeLabel, ModeStrip } from '../../ui/frame/mode-label.tsx';
import { SessionState } from '../../ui/frame/session-state.tsx';
import { paths } from '../../ui/paths.ts';
import { CodeText } from '../../ui/text/code-text.tsx';
import { initials } from '../../ui/text/initials.ts';
import classes from './header.module.css';
import { NotificationBell } from './notification-bell.tsx';

/** Session, mode, bell, the two balances to 4 decimals, and the way to the profile (the specification, point 2). */
export function Header({ onMenu }: { onMenu: () => void }) {
  const { session, now } = useMarketClock();
  return (
    <>
      <header className={classes.header}>
        <ActionIcon className={classes.burger ?? ''} size="lg" aria-label="Open menu" onClick={onMenu}>
          <IconMenu2 size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
        <Link className={classes.mark} to={paths.dashboard} aria-label="Dashboard">
          <Mark />
        </Link>
        <div className={classes.session}>
          <SessionState named />
        </div>
        {session && (
          <div className={classes.mode}>
            <ModeLabel feed={session.feed} {...(now ? { at: now } : {})} />
          </div>
        )}
        <span className={classes.grow} />
        <Balances />
        <span className={classes.rule} />
        <NotificationBell />
        <ProfileLink />
      </header>
      {session && (
        <section className={classes.strip} aria-label="Market mode">
          <ModeStrip feed={session.feed} {...(now ? { at: now } : {})} />
        </section>
      )}
    </>
  );
}

/** A falsy value shows 0 (the specification, point 5), also while nothing is known yet. */
function Balances() {
  const { data } = useQuery(balancesQuery);
  return (
    <dl className={classes.balances}>
      <div>
        <dt>Fund</dt>
        <dd>{formatMoney(data?.primary_wallet || 0)}</dd>
      </div>
      <div>
        <dt>Profit</dt>
        <dd>{formatMoney(data?.profit_wallet || 0)}</dd>
      </div>
    </dl>
  );
}

function ProfileLink() {
  const member = useMember();
  return (
    <Link className={classes.me} to={paths.profile}>
      <VisuallyHidden>Profile</VisuallyHidden>
      <span className={classes.avatar} aria-hidden="true">
        {initials(member?.name ?? '')}
      </span>
      {member && (
        <span className={classes.name}>
          <b>{member.name}</b>
          <small>
            <CodeText>{member.referral_code ?? ''}</CodeText>
          </small>
        </span>
      )}
    </Link>
  );
}
