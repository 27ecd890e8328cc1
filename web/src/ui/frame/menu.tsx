import { Collapse, Text, UnstyledButton } from '@mantine/core';
import { type Icon, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { formatCount } from '../format/number.ts';
import classes from './menu.module.css';
import { ThemeSwitch } from './theme-switch.tsx';

export type MenuEntry = {
  label: string;
  to: string;
  icon: Icon;
  /** Count of items waiting for somebody. */
  count?: number | undefined;
};

/** Entries under one name; those without a name stand alone. */
export type MenuGroup = {
  name?: string | undefined;
  entries: readonly MenuEntry[];
  /** Addresses of the group's pages that are tabs and not entries: on these the group's name carries the accent. */
  tabs?: readonly string[];
};

type MenuProps = {
  label: string;
  groups: readonly MenuGroup[];
  /** In the drawer, where rows are high enough for touch. */
  inDrawer: boolean;
  /** At the foot, beside the theme switch. */
  foot: ReactNode;
  /** Below it. */
  children?: ReactNode;
};

/** The menu of members and of operators, driven by data, in the sidebar and in the drawer. */
export function Menu({ label, groups, inDrawer, foot, children }: MenuProps) {
  return (
    <div className={classes.menu} data-drawer={inDrawer || undefined}>
      <nav className={classes.nav} aria-label={label} ref={showCurrent}>
        {groups.map((group) => (
          <Group key={group.name ?? group.entries[0]?.label} group={group} />
        ))}
      </nav>
      <div className={classes.foot}>
        {foot}
        <ThemeSwitch />
        {children}
      </div>
    </div>
  );
}

/** Scrolls a menu longer than the screen to the current entry. */
const showCurrent = (nav: HTMLElement | null) =>
  nav?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });

function Group({ group: { name, entries, tabs } }: { group: MenuGroup }) {
  const [isOpen, setOpen] = useState(true);
  const listId = useId();
  const { pathname } = useLocation();
  const list = (
    <ul>
      {entries.map((entry) => (
        <li key={entry.to}>
          <MenuLink {...entry} />
        </li>
      ))}
    </ul>
  );
  if (name === undefined) return list;
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <>
      <UnstyledButton
        className={classes.group}
        data-here={tabs?.includes(pathname) || undefined}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        {name}
        <Chevron size={14} stroke={1.5} aria-hidden />
      </UnstyledButton>
      <Collapse expanded={isOpen} id={listId} transitionDuration={180}>
        {list}
      </Collapse>
    </>
  );
}

export function MenuLink({ label, to, icon: EntryIcon, count = 0 }: MenuEntry) {
  return (
    <NavLink to={to} className={classes.entry ?? ''}>
      <EntryIcon size={20} stroke={1.5} aria-hidden />
      <Text span inherit flex={1}>
        {label}
      </Text>
      {count > 0 && <span className={classes.count}>{formatCount(count)}</span>}
    </NavLink>
  );
}
