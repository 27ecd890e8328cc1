import { Box, Menu as Dropdown, Group, Kbd, Space, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconLogout, IconScale, IconSearch, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { formatPercent } from '../../../ui/format/number.ts';
import { Logo } from '../../../ui/frame/logo.tsx';
import { Menu } from '../../../ui/frame/menu.tsx';
import { HeaderRule, HeaderSession, MarketMode, Person, Shell } from '../../../ui/frame/shell.tsx';
import { consolePath, operatorPaths } from '../../../ui/paths.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { useKeys } from '../kit/keys.ts';
import { consolePages } from '../pages.ts';
import { overviewQuery, useQueueCounts, useSignOut } from './queries.ts';
import classes from './shell.module.css';

export function ConsoleShell({ operator }: { operator: Operator }) {
  const { pathname } = useLocation();
  const page = useRef<HTMLElement>(null);

  // A page starts at its top; another tab of the same record keeps the scroll position.
  const record = pathname.split('/').slice(0, 4).join('/');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new record scrolls the page
  useEffect(() => {
    if (page.current) page.current.scrollTop = 0;
  }, [record]);

  return (
    <Shell
      className={classes.console}
      page={page}
      brand={<ConsoleBrand />}
      menu={(inDrawer) => <ConsoleMenu role={operator.role} inDrawer={inDrawer} />}
      header={
        <>
          <ConsoleSearch />
          <MarketMode />
          <Space flex={1} />
          <HeaderSession />
          <HeaderRule />
        </>
      }
      me={<Me operator={operator} />}
    />
  );
}

export const ConsoleBrand = () => (
  <>
    <Link to={operatorPaths.console}>
      <Logo />
    </Link>
    <span className={classes.tag}>Operator</span>
  </>
);

/** The pages of a role by group, with the counts of their queues. */
function ConsoleMenu({ role, inDrawer }: { role: OperatorRole; inDrawer: boolean }) {
  const counts = useQueueCounts();
  const pages = consolePages.filter((page) => !page.isHidden && page.roles.includes(role));
  const groups = [...new Set(pages.map(({ group }) => group))].map((name) => ({
    name,
    entries: pages
      .filter(({ group }) => group === name)
      .map(({ label, icon, path, queue }) => ({ label, icon, to: consolePath(path), count: queue && counts[queue] })),
  }));
  return <Menu label="Operator" groups={groups} inDrawer={inDrawer} foot={<Solvency />} />;
}

/** Assets to liabilities, in the loss colour below 100 %. */
function Solvency() {
  const { data } = useQuery(overviewQuery);
  const coverage = data?.coverage ?? null;
  const isShort = coverage !== null && coverage < 1;
  return (
    <Group
      renderRoot={(props) => <Link to={consolePath('overview')} {...props} />}
      gap={10}
      px={10}
      fz="sm"
      c={isShort ? 'var(--tw-loss)' : 'var(--tw-text-2)'}
    >
      <IconScale size={18} stroke={1.5} aria-hidden />
      <span>{`Solvency ${formatPercent(coverage === null ? null : coverage * 100)}`}</span>
    </Group>
  );
}

/** Finds members by anything they may quote; `/` focuses it. */
function ConsoleSearch() {
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');

  useKeys({
    '/': () => {
      field.current?.focus();
      field.current?.select();
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const search = text.trim();
    if (search !== '') navigate({ pathname: consolePath('members'), search: `?${new URLSearchParams({ search })}` });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: React does not know the element yet
    <form className={classes.search} role="search" onSubmit={submit}>
      <TextInput
        ref={field}
        type="search"
        aria-label="Member, reference, address"
        placeholder={isNarrow ? 'Search' : 'Member, reference, address'}
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
        rightSection={!isNarrow && <Kbd>/</Kbd>}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && field.current?.blur()}
      />
    </form>
  );
}

function Me({ operator: { name, role, email } }: { operator: Operator }) {
  const signOut = useSignOut();
  return (
    <Dropdown position="bottom-end" width={220}>
      <Dropdown.Target>
        <UnstyledButton className={classes.me}>
          {/* A phone only has room for the initials. */}
          <Box component="span" hiddenFrom="sm">
            <VisuallyHidden>{`${name}, ${role}`}</VisuallyHidden>
          </Box>
          <Person name={name} detail={role} from="sm" />
        </UnstyledButton>
      </Dropdown.Target>
      <Dropdown.Dropdown>
        <Dropdown.Label>{email}</Dropdown.Label>
        <Dropdown.Item
          component={Link}
          to={consolePath('account')}
          leftSection={<IconUser size={16} stroke={1.5} aria-hidden />}
        >
          Your account
        </Dropdown.Item>
        <Dropdown.Item leftSection={<IconLogout size={16} stroke={1.5} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Dropdown.Item>
      </Dropdown.Dropdown>
    </Dropdown>
  );
}
