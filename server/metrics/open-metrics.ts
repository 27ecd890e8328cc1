import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Overview } from '#contract/operator/overview.ts';
import type { NoteAnswer } from '#server/http/server.ts';
import { type Figure, figures } from './figures.ts';

/** Metrics of one process for Prometheus (docs/operations.md, "Metrics"). */
export type Metrics = {
  readonly noteAnswer: NoteAnswer;
  /** All metrics in Prometheus' text format. */
  readonly write: () => Promise<string>;
  readonly contentType: string;
  readonly registry: Registry;
};

/** Sources that are read at each scrape. */
export type Sources = {
  readonly countSockets: () => number;
  readonly countConnections: () => { readonly open: number; readonly idle: number; readonly waiting: number };
  readonly readOverview: () => Promise<Overview>;
  readonly findSeal: () => Promise<{ readonly transfers: number; readonly at: Date } | undefined>;
  /** Seconds that the machine's clock is ahead of the database's. */
  readonly measureClockOffset: () => Promise<number>;
  /** Told why the database could not be read. */
  readonly noteFault: (error: unknown) => void;
};

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Metrics of the process are always written; those of the database are omitted if it does not respond, which
 * `tradewind_database_up` shows.
 */
export function openMetrics(sources: Sources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const answers = new Histogram({
    name: 'tradewind_http_answer_seconds',
    help: 'Request duration by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const faults = new Counter({
    name: 'tradewind_metrics_faults_total',
    help: 'Failed readings of the database',
    registers,
  });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const sockets = gauge('tradewind_live_sockets', 'Open sockets of members');
  const connections = gauge('tradewind_database_connections', 'Connections of the pool, and requests waiting for one', [
    'state',
  ]);
  const isUp = gauge('tradewind_database_up', '1 when the figures of the database could be read');
  const transfers = gauge(
    'tradewind_ledger_seal_transfers',
    'Transfers in the last seal; sealed every minute with new transfers',
  );
  const sealedAt = gauge(
    'tradewind_ledger_seal_timestamp_seconds',
    'When the ledger was last sealed; absent before the first seal',
  );
  const clockOffset = gauge(
    'tradewind_clock_offset_seconds',
    "How far this machine's clock is ahead of the database's; no worker starts beyond 30",
  );
  const shown = figures.map((figure) => ({
    figure,
    shownBy: openFigure(figure, registers),
  }));

  const forgetRead = () => {
    for (const gauge of [transfers, sealedAt, clockOffset]) gauge.remove();
  };
  const readDatabase = async () => {
    const [overview, seal, offset] = await Promise.all([
      sources.readOverview(),
      sources.findSeal(),
      sources.measureClockOffset(),
    ]);
    for (const { figure, shownBy } of shown) show(figure, shownBy, overview);
    forgetRead();
    clockOffset.set(offset);
    if (seal === undefined) return;
    transfers.set(seal.transfers);
    sealedAt.set(seal.at.getTime() / 1000);
  };
  return {
    registry,
    contentType: registry.contentType,
    noteAnswer: ({ method, route, status, seconds }) => answers.observe({ method, route, status }, seconds),
    write: async () => {
      sockets.set(sources.countSockets());
      for (const [state, count] of Object.entries(sources.countConnections())) connections.set({ state }, count);
      const read = await readDatabase().then(
        () => true,
        (error: unknown) => {
          sources.noteFault(error);
          return false;
        },
      );
      isUp.set(Number(read));
      if (!read) {
        faults.inc();
        for (const { figure, shownBy } of shown) forget(figure, shownBy);
        forgetRead();
      }
      return registry.metrics();
    },
  };
}

type Shown = Gauge | Counter;

function openFigure({ name, help, label, isCounter }: Figure, registers: Registry[]): Shown {
  const options = { name, help, labelNames: label === undefined ? [] : [label], registers };
  return isCounter ? new Counter(options) : new Gauge(options);
}

/** Resets a metric. A gauge without a label must be removed, because it would report an unmeasured 0. */
function forget({ label }: Figure, shown: Shown): void {
  shown.reset();
  if (label === undefined) shown.remove();
}

function show(figure: Figure, shown: Shown, overview: Overview): void {
  forget(figure, shown);
  const { label } = figure;
  // Starts from zero, because both were just reset.
  for (const { of, value } of figure.read(overview))
    if (label === undefined || of === undefined) shown.inc(value);
    else shown.inc({ [label]: of }, value);
}
