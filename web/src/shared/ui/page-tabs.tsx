import { NavLink } from 'react-router';
import classes from './page-tabs.module.css';

type PageTabsProps = {
  /** What the pages have in common: "Investment". */
  label: string;
  pages: readonly { to: string; label: string }[];
};

/** Pages that belong together, each at an address of its own; the sidebar has only some of them. */
export function PageTabs({ label, pages }: PageTabsProps) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {pages.map((page) => (
        <NavLink key={page.to} to={page.to} end>
          {page.label}
        </NavLink>
      ))}
    </nav>
  );
}
