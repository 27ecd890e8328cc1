import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { IconLogout, IconMenu2, IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMarketClock } from '../../../api/market/use-market-clock.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { ModeLabel, ModeStrip } from '../../../ui/frame/mode-label.tsx';
import { SessionState } from '../../../ui/frame/session-state.tsx';
import { consolePath } from '../../../ui/paths.ts';
import { initials } from '../../../ui/text/initials.ts';
import classes from './console-header.module.css';
import { ConsoleSearch } from './console-search.tsx';
import { useSignOut } from './session-queries.ts';

/** Search, mode, session, and who is at work. */
export function ConsoleHeader({ operator, onMenu }: { operator: Operator; onMenu: () => void }) {
  const { session, now } = useMarketClock();
  return (
    <>
      <header className={classes.header}>
        <ActionIcon className={classes.burger ?? ''} size="lg" aria-label="Open menu" onClick={onMenu}>
          <IconMenu2 size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
        <ConsoleSearch role={operator.role} />
        {session && (
          <div className={classes.mode}>
            <ModeLabel feed={session.feed} {...(now ? { at: now } : {})} />
          </div>
        )}
        <span className={classes.grow} />
        <div className={classes.session}>
          <SessionState named />
        </div>
        <span className={classes.rule} />
        <Me operator={operator} />
      </header>
      {session && (
        <section className={classes.strip} aria-label="Market mode">
          <ModeStrip feed={session.feed} {...(now ? { at: now } : {})} />
        </section>
      )}
    </>
  );
}

function Me({ operator }: { operator: Operator }) {
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.me}>
          <span className={classes.avatar} aria-hidden="true">
            {initials(operator.name)}
          </span>
          <span className={classes.name}>
            <b>{operator.name}</b>
            <small>{operator.role}</small>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{operator.email}</Menu.Label>
        <Menu.Item
          component={Link}
          to={consolePath('account')}
          leftSection={<IconUser size={16} stroke={1.5} aria-hidden />}
        >
          Your account
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.5} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
