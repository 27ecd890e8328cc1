import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { riskSentence } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { translate } from '../../api/texts.ts';
import { Logo } from '../../ui/frame/logo.tsx';
import { ProductMode } from '../../ui/frame/mode-label.tsx';
import { paths } from '../../ui/paths.ts';
import classes from './auth-frame.module.css';

type AuthFrameProps = {
  title: string;
  lead: ReactNode;
  /** Beside the form, from 992 px on. */
  pane: ReactNode;
  /** A short form of the pane below 768 px. */
  mini?: ReactNode;
  /** A form with many fields, in tighter spacing. */
  dense?: boolean;
  children: ReactNode;
};

/** The first part stands out; another language may say it in one sentence. */
const [loss, ...promise] = translate(riskSentence).split(/(?<=\.) /);

/** The frame of sign-in and sign-up: the form left, facts right, the mode always visible. */
export function AuthFrame({ title, lead, pane, mini, dense = false, children }: AuthFrameProps) {
  return (
    <div className={classes.frame}>
      <title>{`${title} · ${appInfo.brandName}`}</title>
      <main className={classes.side} data-dense={dense || undefined} id="page" tabIndex={-1} aria-label={title}>
        <div className={classes.brand}>
          <Link to={paths.login} aria-label={appInfo.brandName}>
            <Logo />
          </Link>
        </div>
        <div className={classes.box}>
          <h1>{title}</h1>
          <p className={classes.lead}>{lead}</p>
          {children}
        </div>
        {mini && <div className={classes.mini}>{mini}</div>}
        <div className={classes.legal}>
          <span>
            {loss}
            <br />
            {promise.join(' ')}
          </span>
          <ProductMode />
        </div>
      </main>
      <aside className={classes.pane}>
        <div>{pane}</div>
      </aside>
    </div>
  );
}
