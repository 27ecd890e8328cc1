import { Suspense, useEffect } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { paths } from '../ui/paths.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { SignedOutOnly } from './guards.tsx';
import { page } from './page.ts';
import { useRouteEffects } from './use-route-effects.ts';

const Login = page(async () => (await import('../features/sign-in/login-page.tsx')).LoginPage);
const OtherPages = page(async () => (await import('./other-pages.tsx')).OtherPages);

/** All addresses. A navigation keeps the page that is there until the next one's code has come. */
export function Router() {
  return (
    <BrowserRouter>
      <ErrorBoundary>
        {/* At the very first load nothing is drawn: the code is there before a spinner could help. */}
        <Suspense>
          <Pages />
        </Suspense>
      </ErrorBoundary>
    </BrowserRouter>
  );
}

/** What whoever signs in goes on to comes while they type. A file that does not come now is asked for again when it is due. */
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

/** The login is told apart, because everybody's first page loads nothing that it has no use for. */
function Pages() {
  useRouteEffects();
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
