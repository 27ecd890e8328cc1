import { otpRules } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { InfoArticle, InfoSection, SupportAddress } from './info-article.tsx';

export function PrivacyPage() {
  return (
    <InfoArticle title="Privacy" facts={`What ${appInfo.brandName} keeps about you, why, and who sees it`}>
      <InfoSection title="What is kept">
        <dl>
          <dt>Name, email address, mobile number</dt>
          <dd>As you gave them at sign-up, to know whose account it is and to write to you.</dd>
          <dt>Registered Id and sponsor</dt>
          <dd>To sign you in, and to know who invited whom.</dd>
          <dt>Password</dt>
          <dd>Only as an argon2id hash, from which it cannot be read back.</dd>
          <dt>Your answers to Terms and Risk</dt>
          <dd>Whether and when you ticked them.</dd>
          <dt>Sign-ins</dt>
          <dd>
            Browser and system (such as “Firefox on Windows”), network address, first and last use. The token in your
            browser is kept here only as a hash. Devices you used before are remembered, so that you can be told of a
            new one.
          </dd>
          <dt>Your money</dt>
          <dd>Deposits, withdrawals, trades and every movement in the ledger.</dd>
          <dt>Payout addresses</dt>
          <dd>
            Each one you saved and when, also those replaced since: who changed where money goes to must be found out
            later.
          </dd>
          <dt>Notifications and mails</dt>
          <dd>What was sent to you.</dd>
          <dt>Tickets</dt>
          <dd>What you and support wrote, with the files you attached.</dd>
          <dt>Limits and choices</dt>
          <dd>Limits you set for yourself, a pause, and what also goes by mail.</dd>
          <dt>When support opened your account</dt>
          <dd>Who it was, when, for how long and why. You find the list on your Profile page.</dd>
          <dt>A log of actions</dt>
          <dd>
            Such as sign-ins, a changed password, a freeze or an export: who did what and when, with the network
            address. Names, email addresses and mobile numbers are not written into it.
          </dd>
        </dl>
      </InfoSection>
      <InfoSection title="Who sees it">
        <ul>
          <li>The people who operate this site, as far as their work needs it.</li>
          <li>
            Somebody of support can open your account to help you, for at most 30 minutes at a time. They see what you
            see and can change nothing. You are told at once who it was and why.
          </li>
          <li>Your sponsor is told your name when you join.</li>
          <li>
            Whoever types your Registered Id as an Invitation Id on the sign-up page sees your name, and nothing else.
          </li>
          <li>
            Other members see neither your email address nor your mobile number, nor what you hold or trade. Figures
            over many members together, such as how many of them lost, are shown to all.
          </li>
          <li>
            The mail server of the operator, for the mails to you. A mail with a code names what the code is for:
            amount, wallet, network and address.
          </li>
          <li>
            The payment gateway is told the amount and the reference of a deposit or withdrawal, and of a withdrawal the
            address it goes to; not who you are.{' '}
            {appInfo.payments === 'sandbox' && 'In this copy it is a sandbox that is part of this site.'}
          </li>
          <li>
            A payment on a network can be read by anybody there, for ever: amount, time and both addresses. Your name is
            not part of it.
          </li>
        </ul>
      </InfoSection>
      <InfoSection title="In your browser">
        <p>
          The local storage of your browser holds the token that keeps you signed in, your own details as on the page
          Profile, the Registered Id to fill in at the next sign-in, and your choice of theme. Signing out removes the
          token and your details.
        </p>
        <p>There are no cookies, no advertising and no measuring of visitors. Nothing is loaded from other sites.</p>
      </InfoSection>
      <InfoSection title="For how long">
        <ul>
          <li>A sign-in ends after 24 hours without use, or after 30 days without use if you chose Remember Me.</li>
          <li>
            A one-time code is valid for {otpRules.ttlMinutes} minutes, is kept only as a hash, and is removed
            afterwards. The link of a mail about a changed address works for 30 days; it is kept as a hash too.
          </li>
          <li>A request that was repeated with the same key is answered from a copy that is kept for 7 days.</li>
          <li>The text of a mail is removed once it has gone. That it went, to where and about what, stays.</li>
          <li>
            Everything else is kept as long as your account is there. When you close it, what identifies you is removed
            at once: name, email address, mobile number, password, second factor, devices, sign-ins, saved payout
            addresses, limits, notifications and the mails to you. The last mail about it is forgotten once it has gone.
          </li>
          <li>
            What stays of a closed account, without your name: trades, plans, deposits, withdrawals with the address
            each went to, incomes, your place in the team, tickets as they were written, the list of when support opened
            it, and the log with the network and payout addresses in it.
          </li>
          <li>
            Ledger and log are never shortened: the books of all members hang together, and are worth something only if
            nobody can take lines out of them.
          </li>
        </ul>
      </InfoSection>
      <InfoSection title="What you can do">
        <ul>
          <li>Correct your name, mobile number and email address, on your Profile page.</li>
          <li>
            Take everything along: Export my data on the same page gives you one file with all that is held on you,
            three times a day. It never has passwords, codes or anything of other members.
          </li>
          <li>Close your account there, once it is empty and nothing is on its way. This cannot be undone.</li>
        </ul>
      </InfoSection>
      <InfoSection title="Questions">
        <p>
          Write to <SupportAddress /> to ask what is kept about you, or to ask for a correction. The operator answers
          for it under the law of the place where the operator is.
        </p>
      </InfoSection>
    </InfoArticle>
  );
}
