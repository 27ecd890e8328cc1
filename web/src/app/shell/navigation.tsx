import { Collapse, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconScale } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { ThemeSwitch } from '../../ui/frame/theme-switch.tsx';
import { paths } from '../../ui/paths.ts';
import { legalLinks, type MenuEntry, type MenuGroup, menu } from './menu.ts';
import classes from './navigation.module.css';

type NavigationProps = {
  /** The tablet drawer has entries of its own and somewhat higher rows. */
  inDrawer?: boolean;
};

/** The entries and the foot, the same in the sidebar and in the drawer. */
export function Navigation({ inDrawer = false }: NavigationProps) {
  return (
    <>
      <nav className={classes.nav} data-drawer={inDrawer || undefined} aria-label="Main">
        {menu.map((group) => (
          <Group key={group.name ?? group.entries[0]?.label} group={group} inDrawer={inDrawer} />
        ))}
      </nav>
      <div className={classes.foot} data-drawer={inDrawer || undefined}>
        <NavLink to={paths.solvency} className={classes.entry ?? ''}>
          <IconScale size={20} stroke={1.5} aria-hidden />
          <span>Solvency</span>
        </NavLink>
        <ThemeSwitch />
        <ul>
          {legalLinks.map(({ label, to }) => (
            <li key={to}>
              <Link to={to}>{label}</Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function Group({ group, inDrawer }: { group: MenuGroup; inDrawer: boolean }) {
  const [isOpen, setOpen] = useState(true);
  const listId = useId();
  const { pathname } = useLocation();
  const entries = group.entries.filter((entry) => inDrawer || !entry.drawerOnly);
  if (group.name === undefined) return <Entries entries={entries} />;
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <>
      <UnstyledButton
        className={classes.group}
        data-here={group.tabs?.includes(pathname) || undefined}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        {group.name}
        <Chevron size={14} stroke={1.5} aria-hidden />
      </UnstyledButton>
      <Collapse expanded={isOpen} id={listId} transitionDuration={180}>
        <Entries entries={entries} />
      </Collapse>
    </>
  );
}

function Entries({ entries }: { entries: readonly MenuEntry[] }) {
  return (
    <ul>
      {entries.map(({ label, to, icon: EntryIcon }) => (
        <li key={to}>
          <NavLink to={to} className={classes.entry ?? ''}>
            <EntryIcon size={20} stroke={1.5} aria-hidden />
            <span>{label}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
