import { Text } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { minimumTradeDollars, riskSentence } from '#contract/rules.ts';
import type { StrategyName } from '#contract/trading/strategy.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { t, translate } from '../../api/texts.ts';
import { CostList } from '../../entities/income/cost-list.tsx';
import { usePlanTerms } from '../../entities/income/fees.ts';
import { usePlanSpread } from '../../entities/income/spreads.ts';
import { AmountField } from '../../entities/trade/amount-field.tsx';
import { AssetChoice } from '../../entities/trade/asset-choice.tsx';
import { findTradeError, refusalToError, type TradeDraft, type TradeError } from '../../entities/trade/check-trade.ts';
import { FoldedStops } from '../../entities/trade/folded-stops.tsx';
import { PlaceButton } from '../../entities/trade/place-button.tsx';
import { usePlaceDraft } from '../../entities/trade/place-draft.ts';
import { nextOpening } from '../../entities/trade/session-labels.ts';
import { SplitForm } from '../../entities/trade/split-form.tsx';
import { firstErrorText, onlySet, readStops, type StopErrors } from '../../entities/trade/stops.ts';
import {
  defaultParameters,
  type ParameterErrors,
  readParameters,
  strategyLabels,
} from '../../entities/trade/strategies.ts';
import { StrategyChoice } from '../../entities/trade/strategy-choice.tsx';
import { WalletChoice } from '../../entities/trade/wallet-choice.tsx';
import { CardChoice, OptionText } from '../../ui/forms/choice.tsx';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { toast } from '../../ui/frame/toast.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { paths } from '../../ui/paths.ts';
import { Note } from '../../ui/text/paragraph.tsx';
import { TextLink } from '../../ui/text/text.tsx';
import { createdText } from './plan-labels.ts';
import { useCreatePlan } from './queries.ts';

/** Creates a plan and opens its page. */
export function NewPlanPage() {
  return (
    <>
      <PageHead title={t`New plan`} facts={t`Trades automatically in every session until you pause or redeem it`}>
        <TextLink to={paths.plans}>{t`Your plans`}</TextLink>
      </PageHead>
      <PlanForm />
    </>
  );
}

type FormErrors = { of?: PlanError | undefined; stops: StopErrors; parameters: ParameterErrors };
const noErrors: FormErrors = { stops: {}, parameters: {} };

/** The form of a plan: nothing is preselected except the wallet, as for trades. */
function PlanForm() {
  const navigate = useNavigate();
  const [errors, setErrors] = useState<FormErrors>(noErrors);
  const draft = usePlaceDraft(null, () => setErrors(noErrors));
  const { walletType, tradeId, typed, amount, off } = draft;
  const create = useCreatePlan();
  const [strategy, setStrategy] = useState<StrategyName | null>(null);
  const [parameterDraft, setParameterDraft] = useState(defaultParameters);
  const [compounding, setCompounding] = useState<boolean | null>(null);
  const { form, focusFirstError } = useFirstError();
  const reasonId = useId();
  const spreadBps = usePlanSpread(tradeId);
  const reason = off ?? errors.of?.message;
  const describedBy = reason ? reasonId : undefined;
  const wrong = errors.of?.field;

  /** Any change to the request makes the last error obsolete. */
  const change = (apply: () => void) => {
    setErrors(noErrors);
    apply();
  };
  const refuse = (found: Partial<FormErrors>, message: string) => {
    setErrors({ ...noErrors, ...found });
    focusFirstError();
    toast.error(message);
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (off !== null || create.isPending) return;
    const found = findPlanError({ tradeId, typed, walletType, strategy, compounding });
    if (found) return refuse({ of: found }, found.message);
    if (tradeId === null || strategy === null || compounding === null || amount === null) return;
    const setting = readParameters(strategy, parameterDraft);
    if ('errors' in setting) return refuse({ parameters: setting.errors }, Object.values(setting.errors)[0] ?? '');
    const read = readStops(draft.stops);
    if ('errors' in read) return refuse({ stops: read.errors }, firstErrorText(read.errors));
    setErrors(noErrors);
    const body = { tradeId, strategy, params: setting.params, wallet_type: walletType, amount, compounding };
    create.mutate(
      { ...body, ...onlySet(read.stops) },
      {
        onSuccess: (plan) => {
          toast.success(t`Plan created`, createdText(plan));
          void navigate(paths.plan(plan.id));
        },
        // The message was already shown as a toast; here it stays beside the field.
        onError: (error) => {
          setErrors({ ...noErrors, of: refusalToError(error) });
          focusFirstError();
        },
      },
    );
  };

  return (
    <SplitForm
      ref={form}
      onSubmit={submit}
      left={
        <>
          <AssetChoice {...draft.assetChoice} invalid={wrong === 'tradeId'} describedBy={describedBy} />
          <div>
            <StrategyChoice
              value={strategy}
              draft={parameterDraft}
              errors={errors.parameters}
              invalid={wrong === 'strategy'}
              describedBy={describedBy}
              onChange={(next) => change(() => setStrategy(next))}
              onParameter={(parameter, value) =>
                change(() => setParameterDraft((now) => ({ ...now, [parameter]: value })))
              }
            />
            <Note mt={10}>
              <TextLink to={paths.backtest}>{t`Backtest the strategy`}</TextLink>{' '}
              {t`before you invest. Past performance does not predict future results.`}
            </Note>
          </div>
          <CompoundingChoice
            value={compounding}
            invalid={wrong === 'compounding'}
            describedBy={describedBy}
            onChange={(next) => change(() => setCompounding(next))}
          />
        </>
      }
      right={
        <>
          <WalletChoice {...draft.walletChoice} />
          <AmountField
            {...draft.amountField}
            invalid={wrong === 'amount' || draft.isOverBalance}
            describedBy={describedBy}
          />
          <FoldedStops {...draft.foldedStops} spreadBps={spreadBps} errors={errors.stops} />
          <PlanCosts amount={amount} strategy={strategy} spreadBps={spreadBps} />
          <Note>
            {t`Minimum: $${minimumTradeDollars.primary} from the Primary Wallet, $${minimumTradeDollars.profit} from the Profit Wallet. Every session trades the whole amount, and you can lose all of it.`}
          </Note>
          <Text size="xs" c="var(--tw-text-2)">
            {translate(riskSentence)}
          </Text>
        </>
      }
      foot={
        <PlaceButton
          {...draft.placeButton}
          reason={reason}
          reasonId={reasonId}
          busy={create.isPending}
          busyLabel={t`Creating`}
        >{t`Create plan`}</PlaceButton>
      }
    />
  );
}

type PlanCostsProps = { amount: number | null; strategy: StrategyName | null; spreadBps: number | undefined };

/** What a plan costs each time it trades, how often, and from when. */
function PlanCosts({ amount, strategy, spreadBps }: PlanCostsProps) {
  const { session, now } = useMarketClock();
  const begins =
    session === undefined || now === undefined
      ? '–'
      : session.state === 'ended'
        ? t`No further session`
        : nextOpening(session, now);
  return (
    <CostList
      feeLabel={t`Fee per trade`}
      amount={amount}
      terms={usePlanTerms()}
      spreadBps={spreadBps}
      rest={[
        [t`Trades per session`, strategy === null ? '–' : strategyLabels[strategy].perSession],
        [t`Starts trading`, begins],
      ]}
    />
  );
}

export type PlanDraft = TradeDraft & {
  readonly strategy: StrategyName | null;
  readonly compounding: boolean | null;
};

type PlanError = TradeError | { readonly field: 'strategy' | 'compounding'; readonly message: string };

/**
 * The error of *Create plan* before anything is sent, from top to bottom of the form, with the server's messages; null
 * when the request may be sent. Asset and minimum are checked as for a trade.
 */
export function findPlanError({ strategy, compounding, ...trade }: PlanDraft): PlanError | null {
  const error = findTradeError(trade);
  if (error?.field === 'tradeId') return error;
  if (strategy === null) return { field: 'strategy', message: t`Choose a strategy.` };
  if (compounding === null) return { field: 'compounding', message: t`Choose whether gains stay in.` };
  return error;
}

type CompoundingChoiceProps = {
  value: boolean | null;
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (compounding: boolean) => void;
};

/** What happens to gains. For losses there is no choice, which is stated as plainly. */
const CompoundingChoice = (props: CompoundingChoiceProps) => (
  <CardChoice
    legend={t`Gains`}
    aside={t`Losses always reduce the plan`}
    variant="options"
    options={[true, false]}
    card={(compounding) =>
      compounding ? (
        <OptionText
          name={t`Reinvest gains`}
          sentence={t`Compounding: gains of a session are traded in the next one.`}
        />
      ) : (
        <OptionText
          name={t`Pay out gains`}
          sentence={t`Gains of each session go to your Profit Wallet. The plan keeps trading the amount invested.`}
        />
      )
    }
    {...props}
  />
);
