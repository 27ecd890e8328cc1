import { riskSentence } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { t, translate } from '../../api/texts.ts';
import { hasExchangeFee, useCurrentTerms } from '../../entities/income/fees.ts';
import { useCurrentSpread } from '../../entities/income/spreads.ts';
import { paths } from '../../ui/paths.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { TextLink, Trans } from '../../ui/text/text.tsx';
import classes from './info-article.module.css';
import { InfoArticle, InfoSection, MoneyNote, SupportAddress } from './info-article.tsx';
import { workExample } from './work-example.ts';

const unmoved = { amount: 250, openMark: 68_000, closeMark: 68_000 };

export function RiskPage() {
  const terms = useCurrentTerms();
  const spreadBps = useCurrentSpread('btc');
  const result = terms && spreadBps !== undefined ? workExample({ ...unmoved, spreadBps }, terms).result : undefined;
  return (
    <InfoArticle title={t`Risk`} facts={t`What you can lose, and why`}>
      <InfoSection title={t`Summary`}>
        <p className={classes.lead}>{translate(riskSentence)}</p>
      </InfoSection>
      <InfoSection title={t`What you can lose`}>
        <ul>
          <li>{t`Crypto prices move far and fast, even within one session. You can lose the whole amount of a trade, but no more than that.`}</li>
          <li>
            <Trans
              text={
                hasExchangeFee()
                  ? t`Every trade starts at a loss, because you pay the fee, the spread and the exchange’s fee even if the price does not move. A trade of $250 at an unchanged price ends at <signedMoney/>, less what the exchange takes.`
                  : t`Every trade starts at a loss, because you pay the fee and the spread even if the price does not move. A trade of $250 at an unchanged price ends at <signedMoney/>.`
              }
              signedMoney={<SignedMoney value={result} />}
            />
          </li>
          <li>{t`A gain must first cover these costs. The performance fee is then taken from what is left. Losses are yours alone.`}</li>
          <li>{t`Frequent trading means frequent fees. Trading often is not safer than trading once.`}</li>
        </ul>
      </InfoSection>
      <InfoSection title={t`What you cannot control`}>
        <ul>
          <li>
            {hasExchangeFee()
              ? t`A trade opens and closes at the price that the exchange fills our order at. That price can be worse than the one you saw.`
              : t`A trade opens at the first price after your order, and closes at one that nobody knows before. Both can be worse than the price you saw.`}
          </li>
          <li>{t`A trade placed outside a session opens when the next session opens, at the price at that time.`}</li>
          <li>{t`Every trade closes at the end of its session, even at a loss. You can close it earlier, but not later.`}</li>
          {hasExchangeFee() && (
            <li>{t`If the exchange cannot sell by then, the trade stays open until it can. The price can fall meanwhile.`}</li>
          )}
          <li>{t`If prices are missing, a trade cannot close until they return. They may return lower.`}</li>
          <li>{t`Software and networks fail. A Close now order may not reach us in time.`}</li>
        </ul>
      </InfoSection>
      <InfoSection title={t`Deposits and withdrawals`}>
        <ul>
          <li>{t`A payment on a network cannot be reversed. Money sent to a wrong address or on the wrong network is lost. A valid address is not necessarily yours, so compare it character by character.`}</li>
          <li>{t`A deposit that is short, late or paid twice is reviewed by an operator. Until the review is complete, it is not in your wallets and cannot be traded.`}</li>
          <li>{t`A withdrawal is not instant. An operator approves it, networks can be slow, and payouts can be stopped for everyone during an investigation. You cannot use the amount while it is held.`}</li>
          <li>{t`Anyone who reads your email and knows your password can act as you. We never ask you for a code. If you receive an email about a change that you did not make, use the link in it at once.`}</li>
          <li>{t`A closed account cannot be reopened. It receives no further income, and a payment sent to it has to be refunded by hand.`}</li>
        </ul>
      </InfoSection>
      <InfoSection title={t`No forecasts`}>
        <ul>
          <li>{t`Nobody can tell you what a trade will return. Results are not fixed, smoothed or paid from other people’s deposits. Past results do not predict future results.`}</li>
          <li>{t`The member who invited you does not know either. Do not trust anyone who promises you a return.`}</li>
          <li>
            <Trans
              text={t`<link>Portfolio</link> shows the share of members who lost money trading next to your own results.`}
              link={(inner) => <TextLink to={paths.portfolio}>{inner}</TextLink>}
            />
          </li>
        </ul>
      </InfoSection>
      <InfoSection title={t`No deposit protection, no advice`}>
        <p>{t`A balance here is not a bank deposit and is not covered by any insurance or compensation scheme. Nothing on these pages is investment advice. USDT is valued at one US dollar here; it may be worth less elsewhere.`}</p>
        <p>
          <MoneyNote />
        </p>
        {appInfo.money !== 'real' && (
          <p>{t`Results in a simulated or recorded market do not show what trading with real money would have returned.`}</p>
        )}
      </InfoSection>
      <InfoSection title={t`Before you trade`}>
        <p>
          <Trans
            text={t`Only trade with money that you can afford to lose. Read <link>Fees</link>, which works through a trade of <money/> to the cent. If you feel that you cannot stop trading, stop and write to <support/>.`}
            link={(inner) => <TextLink to={paths.fees}>{inner}</TextLink>}
            money={<Money value={250} decimals="typed" />}
            support={<SupportAddress />}
          />
        </p>
      </InfoSection>
    </InfoArticle>
  );
}
