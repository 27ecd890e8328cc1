import {
  bitcoinInvoiceMinutes,
  depositLimitsDollars,
  invoiceMinutes,
  minimumTradeDollars,
  tradingHours,
  withdrawalRules,
} from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { t, translate } from '../../api/texts.ts';
import { hasExchangeFee } from '../../entities/income/fees.ts';
import { paths } from '../../ui/paths.ts';
import { TextLink, Trans } from '../../ui/text/text.tsx';
import { InfoArticle, InfoSection, MoneyNote, SupportAddress } from './info-article.tsx';

const { min, max } = depositLimitsDollars;
const { minimumDollars, dayLimitDollars, twoOperatorsFromDollars, waitHours } = withdrawalRules;

export function TermsPage() {
  return (
    <InfoArticle title={t`Terms`} facts={t`How ${appInfo.brandName} works and what you agree to by using it`}>
      <InfoSection title={t`Operator`}>
        <p>
          {appInfo.legalEntity === null
            ? t`${appInfo.brandName} is software run by the operator of this site. In live mode it does not start until the operator has named a legal entity.`
            : t`The operator of ${appInfo.brandName} on this site is ${appInfo.legalEntity}.`}{' '}
          {appInfo.supportEmail !== null && (
            <Trans text={t`Contact the operator at <support/>.`} support={<SupportAddress />} />
          )}
        </p>
        <p>
          <MoneyNote />
        </p>
      </InfoSection>
      <InfoSection title={t`Your account`}>
        <p>{t`You sign up with the Invitation Id of a member. That member becomes your sponsor permanently and sees your name. Your Registered Id is generated at random when you sign up and sent to your email address.`}</p>
        <p>{t`Use your own name, mobile number and email address. Keep your password secret: anyone who signs in with it acts for you. Changing it signs out all other devices.`}</p>
      </InfoSection>
      <InfoSection title={t`Support access`}>
        <p>{t`To help you, support can view your account for up to 30 minutes. They see what you see and cannot change anything. You are notified at once who viewed it and why, and your Profile page lists every visit.`}</p>
      </InfoSection>
      <InfoSection title={t`Wallets and the ledger`}>
        <p>{t`You have a Primary Wallet and a Profit Wallet, both in US dollars, with USDT valued at one dollar. Deposits arrive in the Primary Wallet. When a trade settles, what is left of its amount returns to the wallet it came from. Any gain above the amount goes to the Profit Wallet.`}</p>
        <p>{t`Every transaction is an entry in a double-entry ledger. The application never changes or deletes an entry. A mistake is corrected by a new entry that you see, with its reason, in your transaction history.`}</p>
      </InfoSection>
      <InfoSection title={t`Deposits`}>
        <p>{t`A deposit is from ${min} to ${max.toLocaleString('en-US')} USDT. You have ${invoiceMinutes} minutes to pay, or ${bitcoinInvoiceMinutes} in Bitcoin, which is credited at the gateway’s rate when it is confirmed. We credit the amount that arrives. If more arrives, all of it is credited. If less arrives, the deposit waits for the rest until the time is up, and an operator then decides. The same applies to late or repeated payments.`}</p>
        <p>{t`Bitcoin is credited at the dollar value that the payment gateway reports for it. Deposits are free. Your own wallet or exchange may charge a network fee.`}</p>
      </InfoSection>
      <InfoSection title={t`Withdrawals`}>
        <ul>
          <li>
            <Trans
              text={t`You can withdraw from either wallet: from ${minimumDollars} dollars, and up to ${dayLimitDollars.toLocaleString('en-US')} per UTC day. See <link>Fees</link> for the cost. The fee is fixed when you request the withdrawal and charged when it is paid.`}
              link={(inner) => <TextLink to={paths.fees}>{inner}</TextLink>}
            />
          </li>
          <li>{t`Withdrawals are paid to your saved payout address on the network you chose. Saving an address and requesting a withdrawal each need a code, which we email to you with the details it confirms.`}</li>
          <li>{t`After a change of payout address, password, email address or two-factor authentication, withdrawals are paused for ${waitHours} hours and you are notified by email. If you did not make the change, use the link in that email to stop your withdrawals at once.`}</li>
          <li>{t`The amount is held at once. An operator reviews each withdrawal; a second operator too when your withdrawals of a day reach ${twoOperatorsFromDollars.toLocaleString('en-US')} dollars. You can cancel a withdrawal until it is approved. If it is rejected or fails, you see the reason and the full amount is returned.`}</li>
          <li>{t`A payment on a network cannot be reversed. Money sent to a wrong address is lost, so compare the address character by character.`}</li>
          <li>{t`Your own limits and pauses never block a withdrawal.`}</li>
          {appInfo.mode === 'live' && (
            <li>{t`The operator verifies your account before your first withdrawal. Request verification early.`}</li>
          )}
          {appInfo.payments.includes('sandbox') && (
            <li>{t`On this site payouts are simulated: no real money is sent.`}</li>
          )}
        </ul>
      </InfoSection>
      <InfoSection title={t`Trading`}>
        <ul>
          <li>{t`There is one session a day: ${translate(tradingHours.us)}, ${translate(tradingHours.india)}. That is 12:30 to 17:30 UTC.`}</li>
          <li>{t`The smallest trade is ${minimumTradeDollars.primary} dollars from the Primary Wallet and ${minimumTradeDollars.profit} dollar from the Profit Wallet. The amount leaves the wallet at once.`}</li>
          <li>{t`A trade placed outside a session is queued until the next one opens. You can cancel a queued trade and get the full amount back.`}</li>
          <li>
            {hasExchangeFee()
              ? t`A trade buys the coin at an exchange. It opens and closes at the price that the exchange fills our order at, with its fee and half the spread. What it does not fill is returned to you.`
              : t`A trade buys the coin. It opens at the first price after your order, never at a price already known.`}
          </li>
          <li>
            {hasExchangeFee()
              ? t`It closes automatically at the end of the session, or earlier when you press Close now or a stop is reached.`
              : t`It closes automatically at the end of the session, at the average price of its last minute, or earlier when you press Close now or a stop is reached.`}
          </li>
          {hasExchangeFee() && (
            <li>{t`In the last five minutes of a session nothing opens, and what is open is sold in parts. What the exchange cannot sell stays open until it is sold.`}</li>
          )}
          <li>{t`Without a price, nothing is settled on an estimate. The trade waits for the next price, and the screen says so.`}</li>
          <li>{t`The gain or loss is yours.`}</li>
        </ul>
        <p>
          <Trans
            text={t`See <link>Fees</link> for the costs and <link2>Risk</link2> for what can go wrong.`}
            link={(inner) => <TextLink to={paths.fees}>{inner}</TextLink>}
            link2={(inner) => <TextLink to={paths.risk}>{inner}</TextLink>}
          />
        </p>
      </InfoSection>
      <InfoSection title={t`Frozen accounts`}>
        <p>{t`The operator can freeze an account, for example after an invalid payment. You are notified. You can still sign in and view your account, and open trades settle as usual. You cannot place trades, deposit or withdraw. Withdrawals alone can also be stopped, by you with the link in a security email, or by the operator.`}</p>
      </InfoSection>
      <InfoSection title={t`Closing your account`}>
        <p>{t`You can close your account on your Profile page with your password and, if it is on, two-factor authentication. First withdraw your balance, redeem your plans and wait until all trades, deposits and withdrawals are final. A balance too small to withdraw is forfeited. A frozen account cannot be closed.`}</p>
        <p>{t`Closing is permanent. Your personal data is removed, and nobody can sign in to the account or sign up under it. The members you invited keep their position, and team income that would have been yours stays with the operator. Unclaimed rewards are lost. A payment that arrives later is not credited; the operator refunds it.`}</p>
        <p>
          <Trans
            text={t`You can export your data first. See <link>Privacy</link> for what is removed and what is kept.`}
            link={(inner) => <TextLink to={paths.privacy}>{inner}</TextLink>}
          />
        </p>
      </InfoSection>
      <InfoSection title={t`Changes`}>
        <p>{t`Changes to these terms are published on this page. Fee changes apply to the future only; fees already charged do not change.`}</p>
      </InfoSection>
    </InfoArticle>
  );
}
