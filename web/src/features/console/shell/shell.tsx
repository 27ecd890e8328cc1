import { CloseButton, Drawer } from '@mantine/core';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { drawerWidthPx } from '#contract/rules.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { ConsoleBrand } from './console-brand.tsx';
import { ConsoleHeader } from './console-header.tsx';
import { ConsoleMenu } from './console-menu.tsx';
import classes from './shell.module.css';

/** Around every page of the console: menu, header, and the page, which scrolls by itself. */
export function Shell({ operator }: { operator: Operator }) {
  const { pathname } = useLocation();
  const page = useRef<HTMLElement>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);

  // Whoever chose an entry wants to see its page, not the menu.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what closes it
  useEffect(() => setMenuOpen(false), [pathname]);

  // A page begins at its top; a tab of the same member or thing stays where it is.
  const place = pathname.split('/').slice(0, 4).join('/');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what moves the page
  useEffect(() => {
    if (page.current) page.current.scrollTop = 0;
  }, [place]);

  return (
    <div className={classes.layout}>
      <a className={classes.skip} href="#page">
        Skip to the page
      </a>
      <aside className={classes.sidebar}>
        <ConsoleBrand />
        <ConsoleMenu role={operator.role} />
      </aside>
      <div className={classes.main}>
        <ConsoleHeader operator={operator} onMenu={() => setMenuOpen(true)} />
        <main className={classes.page} id="page" tabIndex={-1} ref={page}>
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Drawer.Root
        opened={isMenuOpen}
        onClose={() => setMenuOpen(false)}
        size={drawerWidthPx}
        classNames={{ content: classes.drawer }}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label="Menu">
          <div className={classes.drawerHead}>
            <ConsoleBrand />
            <CloseButton size="lg" aria-label="Close" onClick={() => setMenuOpen(false)} />
          </div>
          <ConsoleMenu role={operator.role} />
        </Drawer.Content>
      </Drawer.Root>
    </div>
  );
}
