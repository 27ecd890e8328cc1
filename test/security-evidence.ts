/**
 * The tests that prove docs/security.md, by file and name: the requirements of ASVS 5.0 that each proves, and `threat`
 * if it proves a defence. A renamed or moved test must be renamed here as well.
 */
export const evidence: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'server/accounts/codes/operation-otp.db.test.ts': {
    'survives the rollback of its operation, and the try stays counted': '2.3.3',
    'is sent at most twenty times a day, for both purposes together; a refused request sends nothing': '2.4.1',
    'expires after ten minutes': '6.5.5',
    'is wrong for another purpose, whether or not that one has a code of its own': '6.6.2',
    'allows five tries: it works at the fifth, and no longer at the sixth': '6.6.3',
  },
  'server/accounts/codes/operation-otp.race.test.ts': {
    'the right code sent twenty times concurrently is used once': 'threat',
  },
  'server/accounts/core/weak-password.test.ts': {
    'a name of one or two letters does not remove letters from other words': '6.2.11',
  },
  'server/accounts/members/account.race.test.ts': {
    'an authenticator code used twenty times concurrently signs in once': 'threat',
    'a recovery code used twenty times concurrently signs in once': '6.5.1',
    'no sign-in by password alone survives the second factor being enabled': '7.4.3',
  },
  'server/accounts/members/profile.any.test.ts': {
    'accepts the code of exactly this address and account, with the password': '7.5.1',
    'requires the app’s code to change if there is an app; verifying it requires none': '7.5.1',
  },
  'server/accounts/members/register-member.db.test.ts': {
    'outside paper mode a well-known password creates no first operator': '6.3.2',
  },
  'server/accounts/operators/legal/legal-confirmation.db.test.ts': {
    'require two confirmed admins, on live only': 'threat',
  },
  'server/accounts/passkeys/member-passkeys.any.test.ts': {
    'is required after the password, even without an app': '6.3.3',
    'thirty forged responses of one passkey are checked in a quarter of an hour': '6.3.1',
    'requires the password, issues recovery codes, ends other sign-ins, is emailed, holds withdrawals': '7.4.3',
    'is refused with a wrong password, and without the second factor if there is one': '7.5.1',
    'removing requires password and second factor; the last one removes the recovery codes too': '7.5.1',
    'another member’s is not found': '8.2.2',
  },
  'server/accounts/operators/accounts/operator-accounts.any.test.ts': {
    'a finance account waits for a second admin and then for 24 hours, and every operator is emailed': 'threat',
    'expires after 48 hours, and a new link invalidates the old one': '6.4.1',
    'a reset needs a second admin, then removes password and app and emails a new link': '6.4.4',
    'is signed out at once, cannot sign in, and is notified; nobody disables themselves': '7.4.2',
  },
  'server/accounts/operators/accounts/operator-routes.db.test.ts': {
    'change role, are reset, disabled and emailed again; each answer shows the result': '7.4.5',
  },
  'server/accounts/operators/operator-totp.any.test.ts': {
    'accepts the code of half a minute ago, and none of a minute ago': '6.5.5',
  },
  'server/accounts/operators/operator-second-factor.race.test.ts': {
    'one authenticator code sent twenty times concurrently confirms one operation': '6.5.1',
  },
  'server/accounts/passkeys/passkeys.race.test.ts': {
    'one response sent twenty times concurrently gives one session': 'threat',
  },
  'server/accounts/passwords/password-guesser.test.ts': {
    'the earlier rules still apply': '6.2.4',
  },
  'server/accounts/passwords/passwords.test.ts': {
    'the same letters as other code points are the same password': '6.2.8',
    'a password is stored as argon2id with 19 MiB, 2 passes and 1 lane, with a new salt each time': '11.4.2',
  },
  'server/accounts/passwords/strengthen-hash.race.test.ts': {
    'a sign-in rehashes a password that was stored with smaller parameters, once': '11.2.2',
  },
  'server/accounts/passwords/reset-password.any.test.ts': {
    'a forgotten password is replaced with an emailed code, and all sessions end': '16.3.1',
  },
  'server/accounts/server-keys.race.test.ts': {
    'a code emailed before a rotation confirms its operation after it; only then is the old key deleted': '11.2.2',
  },
  'server/accounts/routes.db.test.ts': {
    'answers a wrong password, an unknown id, an email address and the company with identical bytes': 'threat',
    'requesting a reset costs the same database statements, known or not': 'threat',
    'bad input names the field': '6.2.1',
    'a password is changed by API, and a forgotten one replaced, which ends all sign-ins': '6.2.2',
  },
  'server/accounts/sign-in/auth-sessions.any.test.ts': {
    'one sign-in leaves the others; its token is refused at once': '7.4.1 threat',
    'another member’s sign-in is impossible, and reads like one that does not exist': '8.2.2',
    'shows device, address and times of each, last used first, and marks this one': '7.5.2',
  },
  'server/accounts/sign-in/caller-cache.test.ts': {
    'a caller is cached for less than a second': '14.2.2',
  },
  'server/accounts/sign-in/identity.race.test.ts': {
    'of fifty concurrent wrong passwords ten are compared': '6.3.1 threat',
  },
  'server/random-text.test.ts': {
    'a token has 256 random bits, and none repeats': '7.2.3',
    'an emailed code has six digits, each uniformly random': '6.5.3 6.5.4',
  },
  'server/accounts/sign-in/sign-in-crowd.race.test.ts': {
    'of a hundred concurrent sign-ins a few run at a time, and other calls do not queue behind them': '15.2.2 threat',
  },
  'server/accounts/sign-in/known-devices.any.test.ts': {
    'lock out no known device, and unknown ones as before': '6.1.1 6.3.1 threat',
    'lets a number of unknown devices a minute try, a network five times, and known ones as always': '2.4.1 6.1.1',
    'is unaffected by what strangers request and try for the same account': '6.1.1',
  },
  'server/accounts/sign-in/sign-in.any.test.ts': {
    'a wrong current password is a 422, so is a weak new one, and neither changes anything': '6.2.3',
    'the current password cannot be guessed from an open session': '6.2.3 6.3.1',
    'after ten wrong tries %s has to wait a quarter of an hour, in whatever case it is written': '6.3.1',
    'only a stored token identifies anybody': '7.2.1',
    'the id is accepted in any case, the token identifies its member, and is stored as a hash only': '7.2.2',
    'signing out ends this session at once, and no other': '7.4.1',
    'it ends after %d idle days with Remember Me: %s, and use extends it': '7.3.1',
    'are signed in for eight hours regardless of use': '7.3.2',
    'keeps this session, ends the others at once, notifies the member, and only the new one works': '7.4.3',
  },
  'server/accounts/two-factor/second-factor.db.test.ts': {
    'requires password and code, and opens nothing in between': '6.3.3',
    'does not turn it off: a reset account still requires the code at the next sign-in': '6.4.3',
    'is stored as a hash only, and does not reach the log': '6.5.2',
    '%s requires both, password and code': '7.5.1',
  },
  'server/accounts/two-factor/second-factor.test.ts': {
    'a secret has 160 random bits, and the address of the QR code has all an app needs': '6.5.3',
  },
  'server/audit/seal-audit.any.test.ts': {
    'an entry that was removed, or inserted among sealed ones': 'threat',
    'a seal that was edited, even with a matching hash, and one that is missing': '11.4.3',
    'two entries that were swapped': '16.4.2',
  },
  'server/funds/deposits/create-deposit.any.test.ts': {
    'are five at most; another member is not concerned, and the same key still answers': '2.4.1',
  },
  'server/funds/deposits/receive-webhook.any.test.ts': {
    'unsigned, wrongly signed, or signed and then changed': 'threat',
    'an unavailable gateway makes the event be sent again': '16.5.2',
  },
  'server/funds/deposits/receive-webhook.race.test.ts': {
    '500 deliveries of five deposits, 32 at once: each is credited exactly once': 'threat',
  },
  'server/funds/loosening/loosening.any.test.ts': {
    'takes two: a proposal changes and notifies nothing, the second operator’s approval lifts it and notifies':
      'threat',
  },
  'server/funds/routes.any.test.ts': {
    'are made, listed and read by their member alone': '8.2.2',
  },
  'server/funds/withdrawals/withdrawal-routes.any.test.ts': {
    'is requested with a code, listed, read with its steps and cancelled, by its member alone': '8.2.2',
  },
  'server/funds/review/approve-withdrawal.any.test.ts': {
    'a large sum split into small ones needs two for each that is still requested': 'threat',
    'once it is cancelled, rejected or approved': '2.3.1',
  },
  'server/funds/withdrawals/payout-address.db.test.ts': {
    'stops withdrawals and changes of the address, also what was approved before; twice is fine': 'threat',
    'refuses what is no address of the network before a code goes out and before a try': '2.2.3',
  },
  'server/funds/withdrawals/first-factor.any.test.ts': {
    'takes more than the password: a thief without the mailbox adds none': 'threat',
  },
  'server/funds/withdrawals/thief.any.test.ts': {
    'a thief with token and password gets nothing, and the owner is notified': 'threat',
    'without the old mailbox the address changes after two operators and seven days, withdrawals stopped meanwhile':
      'threat',
  },
  'server/funds/withdrawals/withdrawals.race.test.ts': {
    'of 200 simultaneous attempts at the whole balance exactly one succeeds: %s': '2.3.4 threat',
    'of twenty concurrent requests as many are accepted as the daily limit allows': '2.3.2',
  },
  'server/http/large-bodies.any.test.ts': {
    'at most four run, of four callers; the next one is asked to retry, and small ones need no slot': '5.2.1',
  },
  'server/http/mount.db.test.ts': {
    'OpenAPI is generated from the same rows': '2.1.1',
    'uploaded bytes are returned unchanged, and no browser renders them, whatever they are': '3.2.1',
    'unauthenticated callers get 401 before their body is read; other roles get 403': '3.5.1 8.3.1',
    'another content type is a 415': '3.5.2',
    'a call can answer with a file instead, under its name and not as JSON': '4.1.1 14.3.2',
    'a reply with a field its row does not declare is a fault, not a leak': '8.1.2 15.3.1',
    'an internal fault reveals nothing': '13.4.2 16.5.1',
    'a malformed id and an unknown query value are named': '15.3.7',
  },
  'server/http/rate-limits.any.test.ts': {
    'names of Invitation Ids are limited like sign-ins, for each address': '2.4.1',
  },
  'server/http/strict-json.test.ts': {
    'a number that parsing would change becomes NaN, so that its field is refused': '1.1.1',
    'a number of a million digits is no amount, and is rejected quickly': '1.4.2',
    'the same key in two objects is no duplicate': '15.3.7',
  },
  'server/http/web-files.any.test.ts': {
    'the app’s settings are embedded in the page and cannot break out of their element': '1.2.1 1.2.3',
    'every reply forbids framing and foreign scripts': '1.3.2 3.4.3 3.4.6 14.2.3',
    '%s is a 404': '5.3.2 13.2.5 13.4.3',
  },
  'server/live/live.db.test.ts': {
    'an unknown token closes the socket, and so does an operator’s': '4.4.3',
    'ending a session closes its sockets and no others': '4.4.4',
  },
  'server/live/routes.any.test.ts': {
    'a page %s may not open a socket': '3.5.2 4.4.2',
    'pages may connect to sockets at the public address': '4.4.1',
  },
  'server/metrics/serve-metrics.pg.test.ts': {
    'GET /metrics on its own port reports requests and the ledger; nothing else is there': '13.4.5',
  },
  'server/notify/email/send-due-emails.any.test.ts': {
    'subject and text inject neither headers nor SMTP commands': '1.3.11',
  },
  'server/income/statement/income-calls.db.test.ts': {
    'the line of somebody else is not there': '8.2.2',
  },
  'server/notify/routes.any.test.ts': {
    'another member’s notifications are neither listed nor marked as read': '8.2.2',
  },
  'server/trading/routes.any.test.ts': {
    'a foreign, unknown or odd trade cannot be cancelled or closed': '8.2.2',
  },
  'server/operator/integrity/integrity.db.test.ts': {
    'that cannot run is a discrepancy: an unreadable ledger is not correct': '16.5.3',
  },
  'server/tickets/core/read-attachment.test.ts': {
    'any name becomes one extension and text that the database accepts': '1.3.3 5.4.2',
    'parsing terminates, whatever the bytes': '5.2.2',
  },
  'server/tickets/day-limits.any.test.ts': {
    'the 21st ticket within a day waits until the first is a day old': '2.4.1',
    'the 101st message and the 31st file within a day wait, whichever ticket they are for': '2.4.1',
  },
  'server/tickets/operator-routes.db.test.ts': {
    'is visible to operators and in no call of the member: no text, count, file, mark, state or time': '8.2.3',
  },
  'server/tickets/routes.any.test.ts': {
    'three files, stored under plain names, come back byte for byte and only as downloads': '3.2.1 5.3.1 5.4.1',
    'another member’s ticket is answered as if it did not exist': '8.2.2',
  },
  'test/adopted-sign-in.db.test.ts': {
    'are refused before any other check, and change nothing': '7.6.2',
    'is not confirmed by its sender, who adopted it too: each browser confirms for itself': '7.6.2',
  },
  'server/signing/key-file.test.ts': {
    'a fingerprint is the SHA-256 of the public key, and a signature follows RFC 8032': '11.6.1',
  },
  'server/solvency/rotated-key.any.test.ts': {
    'a saved proof stays valid after rotations, and so does every tree, until no tree needs the old key': '11.2.2',
  },
  'test/bad-input.any.test.ts': {
    '${call}: an unknown name and invalid values are refused': '1.2.4',
    '${call}: every field refuses invalid values, and nothing changes': '1.5.2 2.2.1 2.2.2 15.3.3 15.3.5',
    '${call}: %s is a 4xx': '15.3.6',
  },
  'test/close-account.db.test.ts': {
    'keeps nothing that identifies a person, and everything that the ledger rests on': '14.2.4',
  },
  'test/close-account.race.test.ts': {
    'a sign-in or an impersonation during a closing leaves nobody signed in': '7.4.2',
  },
  'test/config-payments.test.ts': {
    'starts with all required settings': '12.2.1 15.2.3',
    'refuses %s=%s, which can be eavesdropped on, without repeating its password': '12.3.1 12.3.2',
  },
  'test/database-tls.pg.test.ts': {
    'no client logs in without TLS': '12.3.1',
    'a client rejects a server with a foreign certificate, or one for another name': '12.3.2',
  },
  'test/deploy.test.ts': {
    'the image contains only what runs: no settings, no history, no tests and no leftovers': '13.4.1 15.2.3 threat',
    'outside access is limited to the proxy’s ports: no database, no metrics': '12.2.1',
    'no secret is in the files: each comes from a file beside them, and a missing one is an error': '13.2.3 13.3.1',
    'payout and trading credentials go to the worker and to no other process': '13.2.2 13.3.2',
    'processes write only their data, gain no privileges, and get the time they need to stop': '13.2.5',
    'the image has the project’s Node version, and every way to start uses the same flags': '15.1.2',
  },
  'test/e2e/hostile.e2e.ts': {
    'markup in name, device, subject, message and file name is shown as text to every reader': '1.1.2 3.2.2 threat',
    'markup in an address leads to a page that does not exist': '1.2.2',
  },
  'test/live.race.test.ts': {
    'ending all other sign-ins ends their sockets and calls at every process within a second': '7.4.1',
  },
  'test/logs.pg.test.ts': {
    'after a full journey of a member and an operator, none of their or our secrets is in the log':
      '14.2.4 16.2.5 threat',
    'every request has one line, with its id, route pattern and caller': '16.2.1 16.3.3 16.4.1',
    'log lines of an operation have the id of its request': '16.2.4 16.3.1',
    'refused input is not in the log either: bodies, paths, queries, headers and invalid HTTP': '16.2.5',
    'the request’s line names a caller who was not allowed': '16.3.2',
    'with a secret in its %s is logged without it, under the id in the response': '16.3.4',
  },
  'test/mail-outage.pg.test.ts': {
    'without the email server codes are announced as delayed; once it is back they arrive and work': '16.5.2',
  },
  'test/member-data.db.test.ts': {
    'no query reads a secret, the hash of one, or operators’ private notes': '8.2.3 13.3.2',
    'every table that refers to a member is exported, or the reason is given': '14.1.1',
  },
  'test/opened-account.db.test.ts': {
    'writing is refused before any other check, and reading leaves no trace': '3.5.3',
    'is notified to the member, with who and why, and listed with its start and end': '7.6.2',
    'is a sign-in of the member for half an hour, by a URL with its token, and me names the operator': '14.2.1',
  },
  'test/operator-roles.test.ts': {
    'the API docs state each operator call’s roles, and whether it precedes two-factor authentication': '8.1.1',
  },
  'test/role-matrix.db.test.ts': {
    'who may make the call': '6.3.3 6.3.4 8.2.1',
  },
  'test/role-withstands.pg.test.ts': {
    '$name cannot be changed, emptied, unguarded or dropped': '13.2.2',
    'the owner’s functions for the server empty no proof that is kept': '13.2.2',
  },
  'test/security.test.ts': {
    'with https every page and call has the security headers': '3.4.1 3.4.2 3.4.4 3.4.5 14.3.2',
    'an untrusted proxy cannot set a request’s address': '4.1.3 15.3.4',
    'TRACE is refused': '13.4.4',
  },
  'test/tidy.test.ts': {
    'SQL is in operations of domains, not in their rules (core), their routes or HTTP': '1.2.4',
  },
  'web/src/features/profile/profile-page.test.tsx': {
    'signing out forgets the token when %s': '7.4.4 14.3.1',
  },
  'web/src/features/team/team-csv.test.ts': {
    'a member is one line with a cell for each head, and a name that is a formula is defused': 'threat',
  },
};
