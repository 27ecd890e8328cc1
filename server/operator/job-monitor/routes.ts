import { endpoints } from '#contract/index.ts';
import { deciderOf } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { retryFailedMail, showFailedMails } from './failed-mails.ts';
import { listJobs } from './list-jobs.ts';
import { runJob } from './run-job.ts';

export function mountConsoleJobs(http: Http, context: Context): void {
  mount(http, endpoints.consoleJobs, {
    listJobs: async () => ({ items: await listJobs(context) }),
    runJob: async (call) => {
      await runJob(context, deciderOf(call), call.params.name);
      return null;
    },
    listFailedMails: ({ query }) => showFailedMails(context, query),
    retryFailedMail: async (call) => {
      await retryFailedMail(context, deciderOf(call), BigInt(call.params.id));
      return null;
    },
  });
}
