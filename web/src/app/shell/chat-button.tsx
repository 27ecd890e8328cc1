import { IconMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { t } from '../../api/texts.ts';
import { unreadTicketsQuery } from '../../features/tickets/queries.ts';
import { paths } from '../../ui/paths.ts';
import classes from './chat-button.module.css';

/** Floats above the bottom bar of a mobile screen and leads to the queries (the specification, point 2). */
export function ChatButton() {
  const { data: unread = 0 } = useQuery(unreadTicketsQuery);
  return (
    <nav className={classes.place} aria-label={t`Support`}>
      <Link className={classes.button} to={paths.query} aria-label={unread > 0 ? t`Query, ${unread} unread` : t`Query`}>
        <IconMessage size={22} stroke={1.5} aria-hidden />
        {unread > 0 && <span className={classes.pip} />}
      </Link>
    </nav>
  );
}
