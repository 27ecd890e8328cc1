import { Box, Space, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useMember } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { balancesQuery } from '../../api/trading-queries.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { Mark } from '../../ui/frame/logo.tsx';
import { HeaderRule, HeaderSession, MarketMode, Person } from '../../ui/frame/shell.tsx';
import { paths } from '../../ui/paths.ts';
import { CodeText } from '../../ui/text/text.tsx';
import classes from './header.module.css';
import { NotificationBell } from './notification-bell.tsx';

/** Session, mode, the two balances to 4 decimals, and the bell (the specification, point 2). */
export const HeaderItems = () => (
  <>
    {/* A phone has Home in its bottom bar, and needs the room for the mode. */}
    <Box component={Link} visibleFrom="sm" hiddenFrom="md" bdrs="xs" to={paths.dashboard} aria-label={t`Dashboard`}>
      <Mark />
    </Box>
    <HeaderSession />
    <MarketMode />
    <Space flex={1} />
    <Balances />
    <HeaderRule />
    <NotificationBell />
  </>
);

/** A falsy value shows 0 (the specification, point 5), also while loading. */
function Balances() {
  const { data } = useQuery(balancesQuery);
  return (
    <dl className={classes.balances}>
      <div>
        <dt>{t`Fund`}</dt>
        <dd>{formatMoney(data?.primary_wallet || 0)}</dd>
      </div>
      <div>
        <dt>{t`Profit`}</dt>
        <dd>{formatMoney(data?.profit_wallet || 0)}</dd>
      </div>
    </dl>
  );
}

export function ProfileLink() {
  const member = useMember();
  return (
    <Link className={classes.me} to={paths.profile}>
      <VisuallyHidden>{t`Profile`}</VisuallyHidden>
      <Person name={member?.name} detail={<CodeText>{member?.referral_code ?? ''}</CodeText>} from="xl" />
    </Link>
  );
}
