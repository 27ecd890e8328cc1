import { otpRules } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { t } from '../../api/texts.ts';
import { Trans } from '../../ui/text/text.tsx';
import { InfoArticle, InfoSection, SupportAddress } from './info-article.tsx';

export function PrivacyPage() {
  return (
    <InfoArticle title={t`Privacy`} facts={t`What ${appInfo.brandName} stores about you, why, and who sees it`}>
      <InfoSection title={t`Data we store`}>
        <dl>
          <dt>{t`Name, email address, mobile number`}</dt>
          <dd>{t`As you entered them, to identify your account and to contact you.`}</dd>
          <dt>{t`Registered Id and sponsor`}</dt>
          <dd>{t`To sign you in and to record who invited whom.`}</dd>
          <dt>{t`Password`}</dt>
          <dd>{t`Only as an argon2id hash, from which it cannot be recovered.`}</dd>
          <dt>{t`Your consent to Terms and Risk`}</dt>
          <dd>{t`Whether and when you accepted them.`}</dd>
          <dt>{t`Sign-ins`}</dt>
          <dd>{t`Browser and operating system (such as “Firefox on Windows”), IP address, first and last use. The token in your browser is stored here only as a hash. Known devices are stored so that we can notify you of a new one.`}</dd>
          <dt>{t`Transactions`}</dt>
          <dd>{t`Deposits, withdrawals, trades and every ledger entry.`}</dd>
          <dt>{t`Payout addresses`}</dt>
          <dd>{t`Each address you saved and when, including replaced ones, so that changes can be investigated.`}</dd>
          <dt>{t`Notifications and emails`}</dt>
          <dd>{t`The messages sent to you.`}</dd>
          <dt>{t`Tickets`}</dt>
          <dd>{t`Your messages, replies from support, and the files you attached.`}</dd>
          <dt>{t`Limits and preferences`}</dt>
          <dd>{t`Your own limits, pauses and email notification settings.`}</dd>
          <dt>{t`Support access`}</dt>
          <dd>{t`Who viewed your account, when, for how long and why. The list is on your Profile page.`}</dd>
          <dt>{t`Audit log`}</dt>
          <dd>{t`Actions such as sign-ins, password changes, freezes and exports: who did what and when, with the IP address. It contains no names, email addresses or mobile numbers.`}</dd>
        </dl>
      </InfoSection>
      <InfoSection title={t`Who sees your data`}>
        <ul>
          <li>{t`The operators of this site, as far as their work requires it.`}</li>
          <li>{t`Support can view your account to help you, for at most 30 minutes at a time. They see what you see and cannot change anything. You are notified at once who viewed it and why.`}</li>
          <li>{t`Your sponsor sees your name when you join. Members above you in the team see your name, masked contact details, activity and trading volume.`}</li>
          <li>{t`Anyone who enters your Registered Id as an Invitation Id on the sign-up page sees your name and nothing else.`}</li>
          <li>{t`No other member sees your full email address, full mobile number, balances or individual trades. Aggregate figures, such as how many members lost money, are shown to everyone.`}</li>
          {appInfo.outbox ? (
            <li>{t`This site sends no emails. Its operators read them in an outbox, with the codes.`}</li>
          ) : (
            <li>{t`The operator’s email server, to send you emails. An email with a code states what the code confirms: amount, wallet, network and address.`}</li>
          )}
          <li>
            {t`The payment gateway receives the amount and reference of a deposit or withdrawal, and the address of a withdrawal, but not your identity.`}{' '}
            {appInfo.payments.includes('sandbox') && t`On this site the gateway is a built-in sandbox.`}
          </li>
          <li>{t`Payments on a network are public and permanent: amount, time and both addresses. Your name is not included.`}</li>
        </ul>
      </InfoSection>
      <InfoSection title={t`In your browser`}>
        <p>{t`Your browser’s local storage holds your sign-in token, your account details as shown on the Profile page, the announcement shown last, your Registered Id for the next sign-in, a token for each account that has signed in here, by which this browser is known again, and your theme and language. Signing out removes the sign-in token, your details and the announcement. Until you close the tab, its session storage holds unsent tickets and requests that got no reply.`}</p>
        <p>{t`There are no cookies, no advertising and no visitor tracking. Nothing is loaded from other sites.`}</p>
      </InfoSection>
      <InfoSection title={t`Retention`}>
        <ul>
          <li>{t`A sign-in expires after 24 hours of inactivity, or after 30 days of inactivity with Remember Me.`}</li>
          <li>{t`A one-time code is valid for ${otpRules.ttlMinutes} minutes, is stored only as a hash and then deleted. The link in a security email works for 30 days and is also stored as a hash.`}</li>
          <li>{t`Replies to requests with an idempotency key are stored for 7 days.`}</li>
          <li>{t`A browser is known for 180 days after it last signed in. Its token is stored only as a hash.`}</li>
          {!appInfo.outbox && (
            <li>{t`The text of an email is deleted once it is sent, or three days later if it cannot be sent. Its recipient, subject and time are kept.`}</li>
          )}
          <li>{t`All other data is stored while your account exists. When you close it, your personal data is deleted at once: name, email address, mobile number, password, two-factor authentication, devices, sign-ins, saved payout addresses, limits, notifications and emails. The last email about the closure is deleted once it is sent.`}</li>
          <li>{t`After closure we keep, without your name: trades, plans, deposits, withdrawals with their addresses, incomes, your position in the team, tickets, the list of support access, and the audit log with its IP and payout addresses.`}</li>
          <li>{t`Entries of the ledger and the audit log are never deleted. The accounts of all members depend on each other, so no entry can be removed.`}</li>
        </ul>
      </InfoSection>
      <InfoSection title={t`Your rights`}>
        <ul>
          <li>{t`Correct your name, mobile number and email address on your Profile page.`}</li>
          <li>{t`Export your data: Export my data on the same page gives you one file with all data held about you, up to three times a day. It contains no passwords, codes or data of other members.`}</li>
          <li>{t`Close your account on the same page once it is empty and all payments are final. This cannot be undone.`}</li>
        </ul>
      </InfoSection>
      <InfoSection title={t`Questions`}>
        <p>
          <Trans
            text={t`Write to <support/> to ask what is stored about you or to request a correction. The operator is responsible under the law of its location.`}
            support={<SupportAddress />}
          />
        </p>
      </InfoSection>
    </InfoArticle>
  );
}
