import { Button } from '@mantine/core';
import { Link, Outlet } from 'react-router';
import { appInfo } from '../../shared/app-info.ts';
import { paths } from '../../shared/paths.ts';
import { useSignedIn } from '../../shared/sign-in-state.ts';
import { Logo } from '../../shared/ui/logo.tsx';
import { ProductMode } from '../../shared/ui/mode-label.tsx';
import { Layout } from './layout.tsx';
import { legalLinks } from './menu.ts';
import classes from './open-frame.module.css';

/** Around pages that are open to everybody: the layout for members, a plain frame for strangers. */
export function OpenFrame() {
  return useSignedIn() ? <Layout /> : <PlainFrame />;
}

function PlainFrame() {
  return (
    <div className={classes.frame}>
      <header className={classes.header}>
        <Link to={paths.login} aria-label={appInfo.brandName}>
          <Logo />
        </Link>
        <ProductMode />
        <span className={classes.grow} />
        <Button component={Link} to={paths.login} variant="default">
          Sign in
        </Button>
      </header>
      <main className={classes.page} id="page">
        <Outlet />
      </main>
      <footer className={classes.footer}>
        {legalLinks.map(({ label, to }) => (
          <Link key={to} to={to}>
            {label}
          </Link>
        ))}
      </footer>
    </div>
  );
}
