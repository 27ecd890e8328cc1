import { riskSentence } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { useCurrentTerms } from '../../entities/income/fee-terms.ts';
import { useCurrentSpread } from '../../entities/income/spreads.ts';
import { paths } from '../../ui/paths.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import classes from './info-article.module.css';
import { InfoArticle, InfoSection, modeWords, SupportAddress } from './info-article.tsx';
import { workExample } from './work-example.ts';

const unmoved = { amount: 250, openMark: 68_000, closeMark: 68_000 };

export function RiskPage() {
  const terms = useCurrentTerms();
  const spreadBps = useCurrentSpread('btc');
  const result = terms && spreadBps !== undefined ? workExample({ ...unmoved, spreadBps }, terms).result : undefined;
  return (
    <InfoArticle title="Risk" facts="What can go wrong, before you put money in">
      <InfoSection title="In one line">
        <p className={classes.lead}>{riskSentence}</p>
      </InfoSection>
      <InfoSection title="What you can lose">
        <ul>
          <li>
            Prices of coins move far and fast, also within one session. A trade can lose all of its amount. It cannot
            lose more than that.
          </li>
          <li>
            Every trade starts behind. Fee and spread are paid even if the price does not move: a trade of $250 then
            ends at <SignedMoney value={result} />.
          </li>
          <li>
            A gain must first make good the fee and the spread, and a part of what is left goes to the performance fee.
            A loss is not shared by anybody.
          </li>
          <li>Many small trades pay many fees. Trading often is not safer than trading once.</li>
        </ul>
      </InfoSection>
      <InfoSection title="What you cannot control">
        <ul>
          <li>
            A trade opens and closes at the first price after it was asked for. That price can be worse than the one you
            saw.
          </li>
          <li>A trade placed outside a session opens at the next opening, at whatever the price is then.</li>
          <li>
            Every trade closes at the end of its session, also when it stands badly. You can close earlier; you cannot
            keep it longer.
          </li>
          <li>If prices are missing, a trade cannot be closed until they are back, and they may be back lower.</li>
          <li>Software and networks fail. Close now may not reach us in time.</li>
        </ul>
      </InfoSection>
      <InfoSection title="When money moves in and out">
        <ul>
          <li>
            A payment on a network cannot be called back. An address copied wrongly, or one of another network, and the
            money is lost. An address that fits its network is not yet yours: compare it letter by letter.
          </li>
          <li>
            A deposit that comes short, late or twice waits for a person. Until they have decided it is in neither
            wallet and cannot be traded.
          </li>
          <li>
            A withdrawal is not instant: a person approves it, networks can be slow, and payouts can be stopped for
            everybody while something is looked into. What is held for it can be neither traded nor spent meanwhile.
          </li>
          <li>
            Whoever reads your mail and knows your password can act as you. Nobody here ever asks you for a code. A mail
            about a change that was not yours: press its link at once.
          </li>
          <li>
            A closed account stays closed. Nobody can bring it back, its claims on later incomes are gone, and a payment
            sent to it has to be sent back by hand.
          </li>
        </ul>
      </InfoSection>
      <InfoSection title="What nobody can tell you">
        <ul>
          <li>
            What a trade will bring. No result is fixed, smoothed or paid from other people’s deposits; results of the
            past say nothing about the next one.
          </li>
          <li>
            Whoever invited you does not know either. Be careful with anybody who promises you a return, in whatever
            name.
          </li>
          <li>
            How others did is not hidden: the share of members whose trading result is negative stands beside your own
            results in <TextLink to={paths.portfolio}>Portfolio</TextLink>.
          </li>
        </ul>
      </InfoSection>
      <InfoSection title="What this is not">
        <p>
          A balance here is not a bank deposit, and no insurance or compensation scheme is claimed for it. Nothing on
          these pages is advice. USDT is counted as one US dollar; it may be worth less elsewhere.
        </p>
        <p>{modeWords[appInfo.mode]}</p>
        {appInfo.mode !== 'live' && (
          <p>
            A result in a simulated or recorded market says nothing about what trading with money would have brought.
          </p>
        )}
      </InfoSection>
      <InfoSection title="Before you go on">
        <p>
          Use only what you can afford to lose. Read <TextLink to={paths.fees}>Fees</TextLink>: an example there shows a
          trade of <Money value={250} decimals="typed" /> to the cent. If trading stops being your choice, stop, and
          write to <SupportAddress />.
        </p>
      </InfoSection>
    </InfoArticle>
  );
}
