import { Navigate, Outlet, useParams } from 'react-router';
import { symbols } from '#contract/rules.ts';
import { useSignedIn } from '../api/sign-in-state.ts';
import { paths } from '../ui/paths.ts';
import { NotFoundPage } from './pages/not-found.tsx';

/** Public routes are there only while no token is stored (the specification, point 2). */
export function SignedOutOnly() {
  return useSignedIn() ? <Navigate to={paths.dashboard} replace /> : <Outlet />;
}

/** Protected routes lead to the login without a token; an address that is no asset's does not exist for anybody. */
export function SignedInOnly() {
  const { symbol } = useParams();
  const isSignedIn = useSignedIn();
  if (symbol !== undefined && !symbols.includes(symbol)) return <NotFoundPage />;
  return isSignedIn ? <Outlet /> : <Navigate to={paths.login} replace />;
}
