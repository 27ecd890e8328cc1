import {
  depositLimitsDollars,
  invoiceMinutes,
  minimumTradeDollars,
  tradingHours,
  withdrawalRules,
} from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { paths } from '../../ui/paths.ts';
import { TextLink } from '../../ui/text/text-link.tsx';
import { InfoArticle, InfoSection, modeWords, SupportAddress } from './info-article.tsx';

const { min, max } = depositLimitsDollars;
const { minimumDollars, dayLimitDollars, twoOperatorsFromDollars, waitHours } = withdrawalRules;

export function TermsPage() {
  return (
    <InfoArticle title="Terms" facts={`How ${appInfo.brandName} works and what you agree to when you use it`}>
      <InfoSection title="Who runs this">
        <p>
          {appInfo.brandName} is software that is run by the operator of this site.{' '}
          {appInfo.supportEmail !== null && (
            <>
              You reach the operator at <SupportAddress />.
            </>
          )}{' '}
          The software does not start with real money before its operator has named a legal entity.
        </p>
        <p>{modeWords[appInfo.mode]}</p>
      </InfoSection>
      <InfoSection title="Your account">
        <p>
          You sign up with the Invitation Id of a member. That member becomes your sponsor, sees your name, and stays
          your sponsor. Your Registered Id is made at random when you sign up and sent to your email address.
        </p>
        <p>
          Give a name, a mobile number and an email address that are yours. Keep your password to yourself: whoever
          signs in with it acts for you. When you change it, all other devices are signed out.
        </p>
      </InfoSection>
      <InfoSection title="When support opens your account">
        <p>
          To help you, somebody of support can open your account for up to 30 minutes. They see what you see and can
          change nothing: the server refuses it. You are told at once who it is and why, and your Profile page lists
          every time.
        </p>
      </InfoSection>
      <InfoSection title="Wallets and the ledger">
        <p>
          You have a Primary Wallet and a Profit Wallet, both in US dollars, with USDT counted at par. Deposits arrive
          in the Primary Wallet. What a trade returns goes back to the wallet it came from; what it gains above its
          amount goes to the Profit Wallet.
        </p>
        <p>
          Every movement is a line in a double-entry ledger. Lines cannot be changed or deleted: a mistake is put right
          by a new line that you see, with its reason, in your transaction history.
        </p>
      </InfoSection>
      <InfoSection title="Deposits">
        <p>
          A deposit is from {min} to {max.toLocaleString('en-US')} USDT. You have {invoiceMinutes} minutes to pay. What
          arrives is what is credited: if more arrives, all of it is credited; if less arrives, the deposit waits for
          the rest until the time is up, and then a person decides. The same goes for a payment that comes late or
          twice.
        </p>
        <p>
          Bitcoin is credited at the dollar value that the payment gateway reports for it. A deposit costs no fee here;
          what your own wallet or exchange takes for sending comes on top.
        </p>
      </InfoSection>
      <InfoSection title="Withdrawals">
        <ul>
          <li>
            You can take money out of either wallet: from {minimumDollars} dollars, and up to{' '}
            {dayLimitDollars.toLocaleString('en-US')} on one day in UTC. What it costs is on the page{' '}
            <TextLink to={paths.fees}>Fees</TextLink>; the fee is fixed when you ask and taken when the money has left.
          </li>
          <li>
            It goes to the payout address that you saved, on the network you chose for it. Saving an address and asking
            for a withdrawal each need a code that is mailed to you and names exactly what it is for.
          </li>
          <li>
            After a change of address or password, withdrawals wait for {waitHours} hours, and you are told by mail. If
            it was not you, the link in that mail stops your withdrawals at once.
          </li>
          <li>
            What you ask for is held at once. A person looks at each withdrawal; a second person too when a day’s
            withdrawals reach {twoOperatorsFromDollars.toLocaleString('en-US')} dollars. Until it is approved you can
            cancel it. When it is rejected or fails, you read why and all of it comes back.
          </li>
          <li>
            A payment on a network cannot be called back. What is sent to an address that you gave wrongly is lost, so
            compare it letter by letter.
          </li>
          <li>Limits that you set for yourself, and a pause, never hold back a withdrawal.</li>
          {appInfo.mode === 'live' && (
            <li>The operator verifies your account before the first withdrawal. Ask for it in time.</li>
          )}
          {appInfo.payments === 'sandbox' && <li>In this copy payouts are simulated: no money leaves.</li>}
        </ul>
      </InfoSection>
      <InfoSection title="Trading">
        <ul>
          <li>
            There is one session a day: {tradingHours.us}, {tradingHours.india}. That is 12:30 to 17:30 UTC.
          </li>
          <li>
            The smallest trade is {minimumTradeDollars.primary} dollars from the Primary Wallet and{' '}
            {minimumTradeDollars.profit} dollar from the Profit Wallet. The amount leaves the wallet at once.
          </li>
          <li>
            A trade placed outside a session waits and opens at the next one. While it waits you can take it back, and
            the whole amount returns.
          </li>
          <li>
            A trade buys the coin. It opens and closes at the first price after it was asked for, never at a price
            already known.
          </li>
          <li>It closes by itself at the end of the session, or earlier when you press Close now.</li>
          <li>
            When there is no price, nothing is settled at a guess: the trade waits for the next price, and the screen
            says so.
          </li>
          <li>The result, gain or loss, is yours.</li>
        </ul>
        <p>
          What it costs is on the page <TextLink to={paths.fees}>Fees</TextLink>, what can go wrong on the page{' '}
          <TextLink to={paths.risk}>Risk</TextLink>.
        </p>
      </InfoSection>
      <InfoSection title="When an account is frozen">
        <p>
          The operator can freeze an account, for example when a payment turns out to be invalid. You are told. You can
          still sign in and read, and open trades settle as always; nothing new can be placed, deposited or withdrawn.
          Withdrawals alone can be stopped too, by you through the link in a mail about a changed address, or by the
          operator.
        </p>
      </InfoSection>
      <InfoSection title="When you close your account">
        <p>
          You can close it on your Profile page, with your password and, if you use one, a code of your authenticator
          app. Before that your wallets have to be empty, plans redeemed, trades settled, and no deposit or withdrawal
          on its way. A frozen account cannot be closed.
        </p>
        <p>
          Closing is for good. What identifies you is removed, and nobody can sign in to the account or sign up under it
          any more. The members you invited keep their place, and what their fees would have brought you stays with the
          operator. Rewards you did not claim are given up. A payment that arrives later is not credited: the operator
          sends it back.
        </p>
        <p>
          You can export everything held on you before. What is removed and what stays is on the page{' '}
          <TextLink to={paths.privacy}>Privacy</TextLink>.
        </p>
      </InfoSection>
      <InfoSection title="Changes">
        <p>
          When these terms change, this page changes. A change of fees is for the future only: what was already taken
          stays as it was.
        </p>
      </InfoSection>
    </InfoArticle>
  );
}
