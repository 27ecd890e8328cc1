import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { faultOf } from '#server/telemetry/describe-error.ts';
import { inSpan } from '#server/telemetry/spans.ts';
import type { Loop } from './engine.ts';
import { deleteRequest, type JobFacts, type JobNews, listRequests, replaceJobs, writeNews } from './health-sql.ts';
import type { TimedJob } from './queues.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
/** A loop iteration that takes longer hangs; the longest wait is for an exchange or a gateway. */
const LOOP_OVERDUE_SECONDS = 120;

/**
 * The last result of every loop and queue of this worker, for operators (`GET /operator/jobs`). Collected in memory and
 * written every two seconds, so that a market with four steps a second writes no more than an email queue. Of two
 * workers with the same job the later write wins.
 */
export class JobBoard {
  readonly #context: Context;
  readonly #news = new Map<string, JobNews>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Stores the list of jobs. */
  async open(jobs: readonly TimedJob[], loops: readonly Loop[]): Promise<void> {
    const facts = [...jobs.map(factsOfJob), ...loops.map(factsOfLoop)];
    await inTransaction(this.#context.db, (tx) => replaceJobs(tx, facts, this.#context.now()));
  }

  /** Wraps a job to record the result of each run. */
  watchJob(job: TimedJob): TimedJob {
    return {
      ...job,
      run: () => {
        this.#note(job.name, { startedAt: this.#context.now() });
        return this.#watch(job.name, job.run);
      },
    };
  }

  watchLoop(loop: Loop): Loop {
    return { ...loop, round: (elapsedMs) => this.#watch(loop.name, () => loop.round(elapsedMs)) };
  }

  /** Writes new results and sends the runs that operators requested. */
  async write(send: (name: string) => Promise<void>): Promise<void> {
    const { db } = this.#context;
    const news = [...this.#news.values()];
    this.#news.clear();
    try {
      if (news.length > 0) await writeNews(db, news);
    } catch (error) {
      for (const one of news) if (!this.#news.has(one.name)) this.#news.set(one.name, one);
      throw error;
    }
    // Sent before it is deleted: a worker that dies in between sends it twice, which is still one run.
    for (const request of await listRequests(db)) {
      await send(request.name);
      await deleteRequest(db, request);
    }
  }

  async #watch(name: string, run: () => Promise<unknown>): Promise<unknown> {
    const began = performance.now();
    const took = () => ({ tookMs: Math.round(performance.now() - began) });
    try {
      const result = await inSpan(
        { name: `job ${name}`, kind: 'internal', attributes: { 'tradewind.job': name } },
        run,
      );
      this.#note(name, { succeededAt: this.#context.now(), failures: 0, ...took() });
      return result;
    } catch (error) {
      const failures = (this.#news.get(name)?.failures ?? 0) + 1;
      this.#note(name, { failedAt: this.#context.now(), fault: faultOf(error), failures, ...took() });
      throw error;
    }
  }

  #note(name: string, news: Partial<JobNews>): void {
    this.#news.set(name, { ...(this.#news.get(name) ?? nothingNew(name)), ...news });
  }
}

const nothingNew = (name: string): JobNews => ({
  name,
  startedAt: null,
  succeededAt: null,
  failedAt: null,
  fault: null,
  failures: 0,
  tookMs: null,
});

const factsOfJob = ({ name, cron, expireSeconds }: TimedJob): JobFacts => ({
  name,
  kind: 'queue',
  cron,
  overdueSeconds: expireSeconds + 2 * (cron.startsWith('* ') ? MINUTE_SECONDS : HOUR_SECONDS),
});

const factsOfLoop = ({ name }: Loop): JobFacts => ({
  name,
  kind: 'loop',
  cron: null,
  overdueSeconds: LOOP_OVERDUE_SECONDS,
});
