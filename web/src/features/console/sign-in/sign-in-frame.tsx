import type { ReactNode } from 'react';
import { appInfo } from '../../../api/app-info.ts';
import { Logo } from '../../../ui/frame/logo.tsx';
import { ProductMode } from '../../../ui/frame/mode-label.tsx';
import { ThemeSwitch } from '../../../ui/frame/theme-switch.tsx';
import classes from './sign-in.module.css';

/** Around what comes before the console: one card in the middle, the mode always in sight. */
export function SignInFrame({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <title>{`${title} · ${appInfo.brandName}`}</title>
      <header className={classes.top}>
        <Logo />
        <span className={classes.tag}>Operator</span>
        <ProductMode />
        <span className={classes.grow} />
        <ThemeSwitch />
      </header>
      <main className={classes.card}>
        <h1>{title}</h1>
        <p className={classes.lead}>{lead}</p>
        {children}
      </main>
      <footer className={classes.foot}>Every sign-in and every action of an operator is in the audit log.</footer>
    </div>
  );
}
