import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link, Outlet } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { useSignedIn } from '../../api/sign-in-state.ts';
import { Logo } from '../../ui/frame/logo.tsx';
import { ProductMode } from '../../ui/frame/mode-label.tsx';
import { paths } from '../../ui/paths.ts';
import classes from './frame.module.css';
import { legalLinks } from './menu.ts';

const Layout = lazy(() => import('./layout.tsx').then((module) => ({ default: module.Layout })));

/** Around all pages but the public ones: the layout for members, a plain frame for strangers who read the terms. */
export function Frame() {
  if (!useSignedIn()) return <PlainFrame />;
  return (
    <Suspense>
      <Layout />
    </Suspense>
  );
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
