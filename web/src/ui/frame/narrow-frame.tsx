import { ActionIcon } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { paths } from '../paths.ts';
import { Mark } from './logo.tsx';
import classes from './narrow-frame.module.css';

type NarrowFrameProps = { title: string; lead: ReactNode; back?: string; foot?: ReactNode; children?: ReactNode };

/** The frame of the pages of one small step, outside the app: forgot password, code, new password, not me. */
export function NarrowFrame({ title, lead, back = paths.login, foot, children }: NarrowFrameProps) {
  return (
    <main className={classes.frame}>
      <title>{`${title} · ${appInfo.brandName}`}</title>
      <div className={classes.top}>
        <ActionIcon component={Link} to={back} size="lg" aria-label="Back">
          <IconArrowLeft size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
        <Mark size={28} />
      </div>
      <h1>{title}</h1>
      <p className={classes.lead}>{lead}</p>
      {children}
      {foot && <p className={classes.foot}>{foot}</p>}
    </main>
  );
}
