import { Navigate, Outlet } from 'react-router';
import { paths } from '../shared/paths.ts';
import { useSignedIn } from '../shared/sign-in-state.ts';

/** Public routes are there only while no token is stored (specification.md, point 2). */
export function SignedOutOnly() {
  return useSignedIn() ? <Navigate to={paths.dashboard} replace /> : <Outlet />;
}

/** Protected routes lead to the login without a token. */
export function SignedInOnly() {
  return useSignedIn() ? <Outlet /> : <Navigate to={paths.login} replace />;
}
