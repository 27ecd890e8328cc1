import { expect, test } from 'vitest';
import { type Endpoint, operatorRoles } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/index.ts';
import { describeCall } from '#server/http/mount.ts';

type OperatorRow = Endpoint & { readonly access: readonly (typeof operatorRoles)[number][] };
const rows = allEndpoints
  .map(({ row }) => row)
  .filter((row): row is OperatorRow => typeof row.access !== 'string')
  .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1));

test('the API docs state each operator call’s roles, and whether it precedes two-factor authentication', () => {
  for (const { row } of allEndpoints.filter(({ row }) => typeof row.access !== 'string')) {
    const roles = operatorRoles.filter((role) => row.access.includes(role)).join(', ');
    const early = row.beforeSecondFactor ? ', also before two-factor authentication is set up' : '';
    expect(describeCall(row)).toMatch(new RegExp(`^Access: ${roles}${early}\\.`));
  }
  expect(rows.filter((row) => row.beforeSecondFactor).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /operator/logout',
    'GET /operator/me',
    'POST /operator/passkeys',
    'POST /operator/passkeys/challenge',
    'POST /operator/passkeys/start',
    'POST /operator/totp/confirm',
    'POST /operator/totp/start',
  ]);
});

test('operator calls, and no others, are under /operator', () => {
  const ofMembers = allEndpoints.filter(({ row }) => row.access === 'member' && row.path.startsWith('/operator'));
  expect(rows.filter((row) => !row.path.startsWith('/operator')).map((row) => row.path)).toEqual([]);
  expect(ofMembers).toEqual([]);
});

test('exactly these calls need no sign-in', () => {
  const open = allEndpoints.filter(({ row }) => row.access === 'public').map(({ name }) => name);
  expect(open.sort()).toEqual([
    'feePlans.getFees',
    'funds.receiveWebhook',
    'identity.findSponsor',
    'identity.forgotPassword',
    'identity.login',
    'identity.register',
    'identity.resetPassword',
    'identity.verifyOtp',
    'market.listCandles',
    'market.listMarket',
    'market.listSpreads',
    'operator.operatorLogin',
    'operator.startOperatorPasskeySignIn',
    'operator.verifyOperatorOtp',
    'operatorAccounts.acceptInvitation',
    'operatorAccounts.confirmAdmin',
    'operatorAccounts.showInvitation',
    'operatorAccounts.showLegalConfirmation',
    'passkeySignIn.askPasskeyAtSignIn',
    'passkeySignIn.finishPasskeySignIn',
    'passkeySignIn.startPasskeySignIn',
    'solvencyHeads.getHeads',
    'solvencyHeads.listHeads',
    'solvencySeal.getSnapshot',
    'solvencySeal.listSnapshots',
    'trading.getSession',
    'trading.listLimits',
    'withdrawals.reportAddressChange',
  ]);
});

test('an admin may make all operator calls, and every row names each role once, in order', () => {
  for (const { access } of rows) {
    expect(access).toContain('admin');
    expect(access).toEqual(operatorRoles.filter((role) => access.includes(role)));
  }
});
