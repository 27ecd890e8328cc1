import type { FeePlanTerms } from '#contract/fee-plan.ts';

/**
 * An independent, slow calculation of team incomes from docs/product.md, section 6: every trade walks up its own ten
 * levels, and every sum is computed from scratch. It shares no code with what it checks.
 */
export type ModelMember = {
  readonly id: bigint;
  readonly sponsorId: bigint | null;
  /** For a closed account: the last session shared before, and the first unpaid week and month. */
  readonly closed?: { readonly on: string; readonly weeksFrom: string; readonly monthsFrom: string } | undefined;
};
export type ModelTrade = {
  readonly memberId: bigint;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly performanceFee: bigint;
};
export type ModelSession = {
  readonly day: string;
  readonly trades: readonly ModelTrade[];
  /** Execution cost; zero with the paper venue. */
  readonly executionCost?: bigint;
  readonly plan: FeePlanTerms;
};

export type ModelLine = {
  readonly day: string;
  readonly memberId: bigint;
  readonly level: number;
  readonly traders: bigint;
  readonly volume: bigint;
  readonly tradeFees: bigint;
  readonly performanceFees: bigint;
  readonly bonus: bigint;
  readonly teamProfit: bigint;
  readonly reason: 'company' | 'closed' | 'inactive' | 'directs' | null;
};

export type ModelIncomes = {
  readonly lines: readonly ModelLine[];
  /** All transfers of the runs by key, without those of 0. */
  readonly transfers: ReadonlyMap<string, bigint>;
  /** Ranks that became claimable: `member/rank` → the month and the maximum payment. */
  readonly rewards: ReadonlyMap<string, { readonly month: string; readonly nominal: bigint }>;
  /** Each member's contribution to a pool whose period counts a dollar once: `weekly/2026-01-26` → by member. */
  readonly puts: ReadonlyMap<string, ReadonlyMap<bigint, bigint>>;
};

type World = {
  readonly members: readonly ModelMember[];
  /** Ordered by day. */
  readonly sessions: readonly ModelSession[];
  /** Weeks and months that ended by this day are paid. */
  readonly marketDay: string;
  /** Periods that begin on or after this day count a dollar once. */
  readonly countedOnceFrom: string;
};

/** What of a session's trade fees goes into a pool, by its fee plan. */
type Pool = 'weekly_bps' | 'monthly_bps' | 'rewards_bps';

const DAY_MS = 86_400_000;
const LEVELS = 10;
const WHOLE = 10_000n;

const micros = (dollars: number): bigint => BigInt(Math.round(dollars * 1e6));
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const sum = (values: Iterable<bigint>): bigint => [...values].reduce((total, value) => total + value, 0n);

export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
export const firstOf = (day: string): string => `${day.slice(0, 7)}-01`;
const nextMonth = (first: string): string => firstOf(addDays(first, 31));

/** Calculates all incomes of a history from scratch. */
export function computeIncomes(world: World): ModelIncomes {
  const sponsorOf = new Map(world.members.map((member) => [member.id, member.sponsorId]));
  const transfers = new Map<string, bigint>();
  const pay = (key: string, amount: bigint) => {
    if (amount > 0n) transfers.set(key, amount);
  };

  /** A member's ancestors, the sponsor first. */
  const upline = (id: bigint): bigint[] => {
    const above: bigint[] = [];
    for (let at = sponsorOf.get(id) ?? null; at !== null && above.length < LEVELS; at = sponsorOf.get(at) ?? null)
      above.push(at);
    return above;
  };
  const isCompany = (id: bigint) => sponsorOf.get(id) === null;
  const closedOf = new Map(world.members.map((member) => [member.id, member.closed]));
  const isClosed = (id: bigint, on: string) => on > (closedOf.get(id)?.on ?? '9999');
  const isClosedInWeek = (id: bigint, week: string) => week >= (closedOf.get(id)?.weeksFrom ?? '9999');
  const isClosedInMonth = (id: bigint, month: string) => month >= (closedOf.get(id)?.monthsFrom ?? '9999');
  const isActive = (id: bigint, on: string) =>
    world.sessions.some(
      ({ day, trades }) =>
        daysBetween(day, on) >= 0 && daysBetween(day, on) < 30 && trades.some((trade) => trade.memberId === id),
    );
  const activeDirects = (id: bigint, on: string) =>
    world.members.filter((member) => member.sponsorId === id && isActive(member.id, on)).length;
  const remembered = <T>(work: (id: bigint, on: string) => T) => {
    const known = new Map<string, T>();
    return (id: bigint, on: string): T => {
      const key = `${id}/${on}`;
      if (!known.has(key)) known.set(key, work(id, on));
      return known.get(key) as T;
    };
  };
  const active = remembered(isActive);
  const directs = remembered(activeDirects);

  const lines = world.sessions.flatMap((session) => {
    const made = linesOf(session, { upline, isCompany, isClosed, active, directs });
    shareOut(session, made, pay);
    return made;
  });

  const rewards = new Map<string, { month: string; nominal: bigint }>();
  const allPuts = new Map<string, ReadonlyMap<bigint, bigint>>();
  const sessionsFrom = (from: string, to: string) => world.sessions.filter(({ day }) => day >= from && day < to);
  const poolFill = (sessions: readonly ModelSession[], pool: Pool) =>
    sum(sessions.map((session) => (leftOf(session).trade * BigInt(session.plan[pool])) / WHOLE));

  /** Each member's contribution to a pool from some sessions: per session, their share of its fees times its fill. */
  const putsOf = (sessions: readonly ModelSession[], pool: Pool): Map<bigint, bigint> => {
    const puts = new Map<bigint, bigint>();
    for (const session of sessions) {
      const fill = poolFill([session], pool);
      const { tradeOf } = leftOf(session);
      for (const id of new Set(session.trades.map((trade) => trade.memberId))) {
        const fee = sum(session.trades.filter((trade) => trade.memberId === id).map((trade) => trade.fee));
        if (tradeOf > 0n) puts.set(id, (puts.get(id) ?? 0n) + (fee * fill) / tradeOf);
      }
    }
    return puts;
  };
  /** A qualified member's part of all contributions below them; each is split among its qualified ancestors. */
  const contributedBy = (id: bigint, qualified: ReadonlySet<bigint>, puts: ReadonlyMap<bigint, bigint>): bigint =>
    sum(
      [...puts].map(([trader, put]) => {
        const above = upline(trader).filter((one) => qualified.has(one));
        return above.includes(id) ? put / BigInt(above.length) : 0n;
      }),
    );

  let weeklyPool = 0n;
  for (const week of new Set(world.sessions.map(({ day }) => mondayOf(day)))) {
    const end = addDays(week, 7);
    if (end > world.marketDay) continue;
    const sessions = sessionsFrom(week, end);
    const { day: last, plan } = sessions.at(-1) as ModelSession;
    weeklyPool += poolFill(sessions, 'weekly_bps');
    const volumes = teamVolumes(lines, week, end);
    const qualified = [...volumes].filter(
      ([id]) =>
        !isCompany(id) && !isClosedInWeek(id, week) && active(id, last) && directs(id, last) >= plan.weekly_min_directs,
    );
    if (week >= world.countedOnceFrom) {
      const puts = putsOf(sessions, 'weekly_bps');
      allPuts.set(`weekly/${week}`, puts);
      const sharers = new Set(qualified.map(([id]) => id));
      const cap = (poolFill(sessions, 'weekly_bps') * BigInt(plan.weekly_cap_bps)) / WHOLE;
      for (const id of sharers) {
        const amount = least(contributedBy(id, sharers, puts), cap);
        pay(`weekly/${week}/${id}`, amount);
        weeklyPool -= amount;
      }
      pay(`weekly/${week}/release`, weeklyPool);
      weeklyPool = 0n;
      continue;
    }
    const total = sum(qualified.map(([, volume]) => volume));
    const most = (weeklyPool * BigInt(plan.weekly_cap_bps)) / WHOLE;
    let paid = 0n;
    for (const [id, volume] of qualified) {
      const amount = least((weeklyPool * volume) / total, most);
      pay(`weekly/${week}/${id}`, amount);
      paid += amount;
    }
    weeklyPool -= paid;
  }

  let monthlyPool = 0n;
  for (const month of new Set(world.sessions.map(({ day }) => firstOf(day)))) {
    const end = nextMonth(month);
    if (end > world.marketDay) continue;
    const sessions = sessionsFrom(month, end);
    const { day: last, plan } = sessions.at(-1) as ModelSession;
    monthlyPool += poolFill(sessions, 'monthly_bps');
    const volumes = teamVolumes(lines, month, end);
    const isCountedOnce = month >= world.countedOnceFrom;
    const ranked: { id: bigint; rank: number; isActive: boolean; isNew: boolean }[] = [];
    const due: [bigint, bigint][] = [];
    for (const [id, teamVolume] of volumes) {
      if (isCompany(id) || isClosedInMonth(id, month)) continue;
      const legs = legsOf(id, sessions, upline);
      /** In ten-thousandths of a micro; execution costs reduce a session's contribution. */
      const put = (pool: Pool) =>
        sum(
          sessions.map((session) => {
            const fees = sum(lines.filter((l) => l.memberId === id && l.day === session.day).map((l) => l.tradeFees));
            const { trade, tradeOf } = leftOf(session);
            return tradeOf === 0n ? 0n : (fees * BigInt(session.plan[pool]) * trade) / tradeOf;
          }),
        );
      const reached = plan.ranks.map((rank) => {
        const required = micros(rank.volume);
        const cap = (required * BigInt(plan.leg_cap_bps)) / WHOLE;
        return sum(legs.map((leg) => least(leg, cap))) >= required;
      });
      const highest = reached.lastIndexOf(true);
      if (isCountedOnce) {
        const isNew = !plan.ranks.some((_, rank) => rank >= highest && rewards.has(`${id}/${rank + 1}`));
        if (highest >= 0) ranked.push({ id, rank: highest, isActive: active(id, last), isNew });
        continue;
      }
      const contributed = (rank: number, pool: Pool) =>
        (micros(plan.ranks[rank]?.volume as number) * put(pool)) / (WHOLE * teamVolume);
      for (const [rank, terms] of plan.ranks.entries()) {
        if (!reached[rank] || rewards.has(`${id}/${rank + 1}`)) continue;
        const nominal = least(micros(terms.reward), contributed(rank, 'rewards_bps'));
        // Without any contribution, it waits for a month with one.
        if (nominal > 0n) rewards.set(`${id}/${rank + 1}`, { month, nominal });
      }
      const rank = reached.lastIndexOf(true);
      if (rank < 0 || !active(id, last)) continue;
      due.push([id, least(micros(plan.ranks[rank]?.monthly as number), contributed(rank, 'monthly_bps'))]);
    }
    if (isCountedOnce) {
      const earners = new Set(ranked.filter((one) => one.isActive).map(({ id }) => id));
      const risers = new Set(ranked.filter((one) => one.isNew).map(({ id }) => id));
      const puts = putsOf(sessions, 'monthly_bps');
      const rewardPuts = putsOf(sessions, 'rewards_bps');
      allPuts.set(`monthly/${month}`, puts).set(`rewards/${month}`, rewardPuts);
      for (const { id, rank } of ranked) {
        const terms = plan.ranks[rank] as (typeof plan.ranks)[number];
        if (earners.has(id)) {
          const amount = least(micros(terms.monthly), contributedBy(id, earners, puts));
          pay(`monthly/${month}/${id}`, amount);
          monthlyPool -= amount;
        }
        const nominal = risers.has(id) ? least(micros(terms.reward), contributedBy(id, risers, rewardPuts)) : 0n;
        if (nominal > 0n) rewards.set(`${id}/${rank + 1}`, { month, nominal });
      }
      pay(`monthly/${month}/release`, monthlyPool);
      monthlyPool = 0n;
      continue;
    }
    const total = sum(due.map(([, nominal]) => nominal));
    let paid = 0n;
    for (const [id, nominal] of due) {
      const amount = total > monthlyPool ? (nominal * monthlyPool) / total : nominal;
      pay(`monthly/${month}/${id}`, amount);
      paid += amount;
    }
    monthlyPool -= paid;
  }
  return { lines, transfers, rewards, puts: allPuts };
}

type Rules = {
  readonly upline: (id: bigint) => bigint[];
  readonly isCompany: (id: bigint) => boolean;
  readonly isClosed: (id: bigint, on: string) => boolean;
  readonly active: (id: bigint, on: string) => boolean;
  readonly directs: (id: bigint, on: string) => number;
};

/** The shareable fees of a session: execution costs are paid first out of trade fees, then out of performance fees. */
function leftOf({ trades, executionCost = 0n }: ModelSession) {
  const tradeOf = sum(trades.map((trade) => trade.fee));
  const performanceOf = sum(trades.map((trade) => trade.performanceFee));
  const fromTrade = least(executionCost, tradeOf);
  const fromPerformance = least(executionCost - fromTrade, performanceOf);
  return { trade: tradeOf - fromTrade, tradeOf, performance: performanceOf - fromPerformance, performanceOf };
}

function linesOf(session: ModelSession, rules: Rules): ModelLine[] {
  const { day, trades, plan } = session;
  const left = leftOf(session);
  const tradePart = (parts: bigint) => (left.tradeOf === 0n ? 0n : (parts * left.trade) / (left.tradeOf * WHOLE));
  const performancePart = (parts: bigint) =>
    left.performanceOf === 0n ? 0n : (parts * left.performance) / (left.performanceOf * WHOLE);
  type Sums = { traders: Set<bigint>; volume: bigint; tradeFees: bigint; performanceFees: bigint };
  const found = new Map<bigint, Map<number, Sums>>();
  for (const trade of trades) {
    for (const [index, above] of rules.upline(trade.memberId).entries()) {
      const levels = found.get(above) ?? new Map<number, Sums>();
      const sums = levels.get(index + 1) ?? { traders: new Set(), volume: 0n, tradeFees: 0n, performanceFees: 0n };
      sums.traders.add(trade.memberId);
      sums.volume += trade.amount;
      sums.tradeFees += trade.fee;
      sums.performanceFees += trade.performanceFee;
      found.set(above, levels.set(index + 1, sums));
    }
  }
  return [...found].flatMap(([memberId, levels]) => {
    const soFar = { level: 0n, profit: 0n };
    return [...levels]
      .sort(([a], [b]) => a - b)
      .map(([level, { traders, ...sums }]) => {
        const reason = rules.isCompany(memberId)
          ? 'company'
          : rules.isClosed(memberId, day)
            ? 'closed'
            : !rules.active(memberId, day)
              ? 'inactive'
              : level > 1 && rules.directs(memberId, day) < level
                ? 'directs'
                : null;
        const bonusShare = reason === null ? sums.tradeFees * BigInt(plan.level_bps[level - 1] ?? 0) : 0n;
        const profitShare = reason === null ? sums.performanceFees * BigInt(plan.team_profit_bps[level - 1] ?? 0) : 0n;
        let bonus = tradePart(bonusShare);
        if (level > 1) {
          bonus = tradePart(soFar.level + bonusShare) - tradePart(soFar.level);
          soFar.level += bonusShare;
        }
        const teamProfit = performancePart(soFar.profit + profitShare) - performancePart(soFar.profit);
        soFar.profit += profitShare;
        return { day, memberId, level, traders: BigInt(traders.size), ...sums, bonus, teamProfit, reason } as const;
      });
  });
}

function shareOut(
  session: ModelSession,
  lines: readonly ModelLine[],
  pay: (key: string, amount: bigint) => void,
): void {
  const { day, plan } = session;
  const members = [...new Set(lines.map((line) => line.memberId))];
  let bonuses = 0n;
  let profits = 0n;
  for (const id of members) {
    const own = lines.filter((line) => line.memberId === id);
    const referral = sum(own.filter((line) => line.level === 1).map((line) => line.bonus));
    const level = sum(own.filter((line) => line.level > 1).map((line) => line.bonus));
    const profit = sum(own.map((line) => line.teamProfit));
    pay(`bonus/${day}/referral/${id}`, referral);
    pay(`bonus/${day}/level/${id}`, level);
    pay(`bonus/${day}/profit/${id}`, profit);
    bonuses += referral + level;
    profits += profit;
  }
  const { trade, tradeOf, performance, performanceOf } = leftOf(session);
  pay(`bonus/${day}/trade-cost`, tradeOf - trade);
  pay(`bonus/${day}/performance-cost`, performanceOf - performance);
  const pools = [plan.weekly_bps, plan.monthly_bps, plan.rewards_bps].map((bps) => (trade * BigInt(bps)) / WHOLE);
  const [weekly = 0n, monthly = 0n, rewards = 0n] = pools;
  pay(`bonus/${day}/weekly-pool`, weekly);
  pay(`bonus/${day}/monthly-pool`, monthly);
  pay(`bonus/${day}/rewards-pool`, rewards);
  pay(`bonus/${day}/trade-revenue`, trade - bonuses - weekly - monthly - rewards);
  pay(`bonus/${day}/performance-revenue`, performance - profits);
}

function teamVolumes(lines: readonly ModelLine[], from: string, to: string): Map<bigint, bigint> {
  const volumes = new Map<bigint, bigint>();
  for (const line of lines)
    if (line.day >= from && line.day < to) volumes.set(line.memberId, (volumes.get(line.memberId) ?? 0n) + line.volume);
  return volumes;
}

/** Volume of each leg: a direct and their team, down to the member's tenth level. */
function legsOf(id: bigint, sessions: readonly ModelSession[], upline: (id: bigint) => bigint[]): bigint[] {
  const legs = new Map<bigint, bigint>();
  for (const trade of sessions.flatMap((session) => session.trades)) {
    const path = [trade.memberId, ...upline(trade.memberId)];
    const at = path.indexOf(id);
    if (at < 1) continue;
    const head = path[at - 1] as bigint;
    legs.set(head, (legs.get(head) ?? 0n) + trade.amount);
  }
  return [...legs.values()];
}
