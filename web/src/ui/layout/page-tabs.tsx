import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import classes from './page-tabs.module.css';

type PageTabsProps = {
  /** The shared name of the pages: "Investment". */
  label: string;
  pages: readonly { to: string; label: string }[];
};

/** Related pages, each with its own address; the sidebar lists only some of them. */
export function PageTabs({ label, pages }: PageTabsProps) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();

  // Where the tabs overflow, the current one is scrolled to the middle.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what opens another tab
  useEffect(() => {
    const row = nav.current;
    const open = row?.querySelector<HTMLElement>('[aria-current="page"]');
    if (row && open) row.scrollLeft = open.offsetLeft - row.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;
  }, [pathname]);

  return (
    <nav ref={nav} className={classes.tabs} aria-label={label}>
      {pages.map((page) => (
        <NavLink key={page.to} to={page.to} end>
          {page.label}
        </NavLink>
      ))}
    </nav>
  );
}
