import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../ui/format/time.ts';
import classes from './announcements.module.css';
import { announcementsQuery } from './queries.ts';

/** All that is announced at this moment, also what was put away; nothing while there is none. */
export function AnnouncementList() {
  const { data } = useQuery(announcementsQuery);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section className={classes.list} aria-label="Announcements">
      <h3>Announcements</h3>
      <ul>
        {data.items.map(({ id, title, text, from, to }) => (
          <li key={id}>
            <b>{title}</b>
            <p className={classes.text}>{text}</p>
            <small>
              <time dateTime={from}>{formatDateTime(from)}</time> to <time dateTime={to}>{formatDateTime(to)}</time>
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
