import { Navigate, Outlet, useParams } from 'react-router';
import { symbols } from '#contract/rules.ts';
import { useSignedIn } from '../api/sign-in-state.ts';
import { paths } from '../ui/paths.ts';
import { NotFoundPage } from './pages/not-found.tsx';

/**
 * Without a token protected routes lead to the login page; an address that is no asset's does not exist for anybody.
 */
export function SignedInOnly() {
  const { symbol } = useParams();
  const isSignedIn = useSignedIn();
  if (symbol !== undefined && !symbols.includes(symbol)) return <NotFoundPage />;
  return isSignedIn ? <Outlet /> : <Navigate to={paths.login} replace />;
}
