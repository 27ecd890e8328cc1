import { ActionIcon } from '@mantine/core';
import { IconArrowLeft, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { appInfo } from '../../shared/app-info.ts';
import { paths } from '../../shared/paths.ts';
import { Mark } from '../../shared/ui/logo.tsx';
import classes from './narrow-frame.module.css';

type NarrowFrameProps = { title: string; lead: ReactNode; back?: string; foot?: ReactNode; children: ReactNode };

/** The frame of the pages of one small step: forgot password, code, new password. */
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

type StepsProps = { current: 1 | 2 | 3 };

const steps = [
  ['Give your Registered Id', 'Registered Id given'],
  ['Enter the code from the mail', 'Code entered'],
  ['Choose a new password; all devices are signed out', ''],
] as const;

/** Where in the reset of a password the member is. */
export function ResetSteps({ current }: StepsProps) {
  return (
    <ol className={classes.steps}>
      {steps.map(([ahead, done], index) => {
        const state = index + 1 < current ? 'done' : index + 1 === current ? 'current' : 'ahead';
        return (
          <li key={ahead} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
            <i aria-hidden="true">{state === 'done' ? <IconCheck size={14} stroke={1.5} /> : index + 1}</i>
            {state === 'done' ? done : ahead}
          </li>
        );
      })}
    </ol>
  );
}
