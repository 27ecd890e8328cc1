import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { minimumTradeDollars, riskSentence, type WalletType } from '#contract/rules.ts';
import type { Plan } from '#contract/trading/plan.ts';
import type { StrategyName } from '#contract/trading/strategy.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { balancesQuery, tradableQuery } from '../../api/trading-queries.ts';
import { usePlanSpread } from '../../entities/income/spreads.ts';
import { AmountField } from '../../entities/trade/amount-field.tsx';
import { AssetChoice } from '../../entities/trade/asset-choice.tsx';
import { whyOff } from '../../entities/trade/check-trade.ts';
import { FoldedStops } from '../../entities/trade/folded-stops.tsx';
import { walletNames } from '../../entities/trade/labels.ts';
import { refusalToMistake } from '../../entities/trade/place-refusal.ts';
import { draftOf, firstMistake, noStops, onlySet, readStops, type StopMistakes } from '../../entities/trade/stops.ts';
import { defaultKnobs, type KnobMistakes, readKnobs } from '../../entities/trade/strategies.ts';
import { StrategyChoice } from '../../entities/trade/strategy-choice.tsx';
import { WalletChoice } from '../../entities/trade/wallet-choice.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { TextLink } from '../../ui/text/text-link.tsx';
import { findPlanMistake, type PlanMistake } from './check-plan.ts';
import { CompoundingChoice } from './compounding-choice.tsx';
import { PlanCosts } from './plan-costs.tsx';
import classes from './plan-form.module.css';
import { useCreatePlan } from './queries.ts';

type Mistakes = { of?: PlanMistake | undefined; stops: StopMistakes; knobs: KnobMistakes };
const noMistakes: Mistakes = { stops: {}, knobs: {} };

/** What a plan is made of: nothing is chosen for the member but the wallet that trades have, too. */
export function PlanForm({ onCreated }: { onCreated: (plan: Plan) => void }) {
  const { data: balances } = useQuery(balancesQuery);
  const { data: assets } = useQuery(tradableQuery);
  const { data: session } = useQuery(sessionQuery);
  const create = useCreatePlan();

  const [chosen, setChosen] = useState<string | null>(null);
  const [strategy, setStrategy] = useState<StrategyName | null>(null);
  const [knobDraft, setKnobDraft] = useState(defaultKnobs);
  const [compounding, setCompounding] = useState<boolean | null>(null);
  const [walletType, setWalletType] = useState<WalletType>('primary');
  const [amount, setAmount] = useState<number | null>(null);
  const [stopDraft, setStopDraft] = useState(() => draftOf(noStops));
  const [mistakes, setMistakes] = useState<Mistakes>(noMistakes);
  const reasonId = useId();

  // An asset that was switched off meanwhile is not chosen.
  const tradeId = assets === undefined || assets.some((asset) => asset.id === chosen) ? chosen : null;
  const spreadBps = usePlanSpread(tradeId);
  const balance = balances && (walletType === 'primary' ? balances.primary_wallet : balances.profit_wallet);
  const off = whyOff(balance, amount, walletNames[walletType], session?.halt);
  const reason = off ?? mistakes.of?.message;
  const describedBy = reason ? reasonId : undefined;
  const wrong = mistakes.of?.field;
  const isAmountWrong = wrong === 'amount' || (balance !== undefined && amount !== null && amount > balance);

  /** Any change of what is asked for makes the last complaint out of date. */
  const change = (apply: () => void) => {
    setMistakes(noMistakes);
    apply();
  };
  const refuse = (found: Partial<Mistakes>, message: string) => {
    setMistakes({ ...noMistakes, ...found });
    toast.error(message);
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (off !== null || create.isPending) return;
    const found = findPlanMistake({ tradeId, amount, walletType, strategy, compounding });
    if (found) return refuse({ of: found }, found.message);
    if (tradeId === null || strategy === null || compounding === null || amount === null) return;
    const setting = readKnobs(strategy, knobDraft);
    if ('mistakes' in setting) return refuse({ knobs: setting.mistakes }, Object.values(setting.mistakes)[0] ?? '');
    const read = readStops(stopDraft);
    if ('mistakes' in read) return refuse({ stops: read.mistakes }, firstMistake(read.mistakes));
    setMistakes(noMistakes);
    const body = { tradeId, strategy, params: setting.params, wallet_type: walletType, amount, compounding };
    create.mutate(
      { ...body, ...onlySet(read.stops) },
      {
        onSuccess: onCreated,
        // The words were already shown as a toast; here they stay beside the field.
        onError: (error) => setMistakes({ ...noMistakes, of: refusalToMistake(error) }),
      },
    );
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.left}>
        <AssetChoice
          assets={assets}
          value={tradeId}
          invalid={wrong === 'tradeId'}
          describedBy={describedBy}
          onChange={(next) => change(() => setChosen(next))}
        />
        <div>
          <StrategyChoice
            value={strategy}
            draft={knobDraft}
            mistakes={mistakes.knobs}
            invalid={wrong === 'strategy'}
            describedBy={describedBy}
            onChange={(next) => change(() => setStrategy(next))}
            onKnob={(knob, value) => change(() => setKnobDraft((now) => ({ ...now, [knob]: value })))}
          />
          <p className={classes.note}>
            <TextLink to={paths.backtest}>Try it on past prices</TextLink> before you put money in. The past says little
            about what comes.
          </p>
        </div>
        <CompoundingChoice
          value={compounding}
          invalid={wrong === 'compounding'}
          describedBy={describedBy}
          onChange={(next) => change(() => setCompounding(next))}
        />
      </div>
      <div className={classes.right}>
        <WalletChoice value={walletType} balances={balances} onChange={(next) => change(() => setWalletType(next))} />
        <AmountField
          amount={amount}
          balance={balance}
          invalid={isAmountWrong}
          describedBy={describedBy}
          onChange={(next) => change(() => setAmount(next))}
        />
        <FoldedStops
          symbol={tradeId}
          spreadBps={spreadBps}
          draft={stopDraft}
          mistakes={mistakes.stops}
          onChange={(kind, value) => change(() => setStopDraft((now) => ({ ...now, [kind]: value })))}
        />
        <PlanCosts amount={amount} strategy={strategy} spreadBps={spreadBps} />
        <p className={classes.note}>
          Minimum: ${minimumTradeDollars.primary} from the Primary Wallet, ${minimumTradeDollars.profit} from the Profit
          Wallet. Every session trades the whole amount, and you can lose up to all of it.
        </p>
        <p className={classes.risk}>{riskSentence}</p>
      </div>
      <div className={classes.foot} data-foot>
        {reason && (
          <p id={reasonId} className={classes.reason} data-wrong={balance !== undefined || undefined}>
            {reason}
          </p>
        )}
        <BusyButton
          type="submit"
          size="lg"
          fullWidth
          busy={create.isPending}
          busyLabel="Creating"
          disabled={off !== null}
          aria-describedby={describedBy}
        >
          Create plan
        </BusyButton>
      </div>
    </form>
  );
}
