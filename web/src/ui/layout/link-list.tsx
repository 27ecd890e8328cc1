import { type Icon, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import classes from './link-list.module.css';

/** Links to related pages, each a whole row of its card. */
export const LinkList = ({ links }: { links: readonly { to: string; label: string; Icon?: Icon }[] }) => (
  <ul className={classes.list}>
    {links.map(({ to, label, Icon }) => (
      <li key={label}>
        <Link to={to}>
          {Icon && <Icon size={20} stroke={1.5} aria-hidden />}
          <span>{label}</span>
          <IconChevronRight size={16} stroke={1.5} aria-hidden />
        </Link>
      </li>
    ))}
  </ul>
);
