import type { ReactNode } from 'react';
import { appInfo } from '../../api/app-info.ts';
import classes from './page-head.module.css';

type PageHeadProps = {
  title: ReactNode;
  /** One line of facts below the title. */
  facts?: ReactNode;
  /** At most two default buttons and one primary. */
  children?: ReactNode;
};

/** The head of every page. It also gives the document its title. */
export function PageHead({ title, facts, children }: PageHeadProps) {
  return (
    <div className={classes.head}>
      {typeof title === 'string' && <title>{`${title} · ${appInfo.brandName}`}</title>}
      <div className={classes.words}>
        <h1>{title}</h1>
        {facts && <p>{facts}</p>}
      </div>
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}
