import { z } from 'zod';
import { operatorRoles } from '#contract/endpoint.ts';
import { operatorEmail, personName } from '#contract/fields.ts';
import { inviteFromServer } from '#server/accounts/index.ts';
import { BadConfig } from '#server/config.ts';
import { bringUpToDate } from '#server/migrate-database.ts';
import { Refused } from '#server/refused.ts';
import { badArgument, print, runWithConfig, withDatabase } from './run-command.ts';

const names = ['EMAIL', 'NAME', 'ROLE'];
const invitee = z.tuple([operatorEmail, personName, z.enum(operatorRoles)]);

/**
 * `npm run operator:invite -- EMAIL NAME ROLE`: emails an invitation and prints its link, for when only one admin is
 * left and nobody can approve another. Or resets an operator who lost passkey and authenticator app, after 24 hours
 * (docs/operators-guide.md, "Operators").
 */
await runWithConfig((config) => {
  const words = process.argv.slice(2);
  if (words.length !== names.length)
    throw new BadConfig('EMAIL, NAME and ROLE: all required; put a name of several words in quotes');
  const given = invitee.safeParse(words);
  if (!given.success) throw badArgument(given.error, ([index]) => `${names[Number(index)]}`);
  const [email, name, role] = given.data;
  return withDatabase(config, async (context, database) => {
    await bringUpToDate(config, database);
    const invited = await inviteFromServer(context, { email, name, role });
    if ('resetAt' in invited) {
      print(
        `${invited.name} is an operator already. Password, authenticator app and passkeys are reset at ${invited.resetAt.toISOString()};`,
        'an invitation is emailed then. All operators were told, and any admin can withdraw it until then.',
      );
      return 0 as const;
    }
    print(
      `Invited ${name} as ${role}. The link works once and expires at ${invited.expiresAt.toISOString()}:`,
      invited.url,
    );
    return 0 as const;
  });
}, Refused);
