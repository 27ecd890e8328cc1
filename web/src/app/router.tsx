import { Suspense, useEffect } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { useKeptFocus } from '../ui/focus-page.ts';
import { paths } from '../ui/paths.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { SignedOutOnly } from './guards.tsx';
import { page } from './page.ts';
import { useRouteEffects } from './use-route-effects.ts';

const Login = page(async () => (await import('../features/sign-in/login-page.tsx')).LoginPage);
const OtherPages = page(async () => (await import('./other-pages.tsx')).OtherPages);

/** All routes. During a navigation the current page stays until the next one's code has loaded. */
export function Router() {
  return (
    <BrowserRouter>
      <ErrorBoundary>
        {/* Nothing is rendered on the very first load: the code arrives before a spinner could help. */}
        <Suspense>
          <Pages />
        </Suspense>
      </ErrorBoundary>
    </BrowserRouter>
  );
}

/** Preloads the next page while the person signs in. A file that fails now is requested again when needed. */
function LoginWithNext() {
  useEffect(() => {
    const load = () => {
      const parts = [
        import('./other-pages.tsx'),
        import('./shell/frame.tsx'),
        import('./shell/layout.tsx'),
        import('./pages/dashboard.tsx'),
      ];
      void Promise.allSettled(parts);
    };
    addEventListener('input', load, { once: true });
    return () => removeEventListener('input', load);
  }, []);
  return <Login />;
}

/** The login page is split off, so that everybody's first page loads nothing it does not use. */
function Pages() {
  useRouteEffects();
  useKeptFocus();
  return (
    <Routes>
      <Route element={<SignedOutOnly />}>
        <Route path={paths.login} element={<LoginWithNext />} />
        <Route path={paths.loginAlias} element={<LoginWithNext />} />
      </Route>
      <Route path="*" element={<OtherPages />} />
    </Routes>
  );
}
