import { endpoints } from '#contract/index.ts';
import { actorOf, type OperatorCall, proposalCalls } from '#server/approvals/index.ts';
import { type Context, onReplica, onReserved } from '#server/context.ts';
import { listDeposits, listMovements, listWithdrawals } from '#server/funds/index.ts';
import { asFile, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { requestSnapshot, showSnapshot } from '#server/solvency/index.ts';
import { listTicketsOfMember } from '#server/tickets/index.ts';
import { listPlans, listTrades } from '#server/trading/index.ts';
import {
  announcementKind,
  endAnnouncement,
  listOperatorAnnouncements,
  writeAnnouncement,
} from './announcements/announcements.ts';
import { listAudit } from './audit/list-audit.ts';
import { writeAuditFile } from './audit/write-audit-file.ts';
import { getOverview } from './get-overview.ts';
import { askForCheck } from './integrity/check-integrity.ts';
import { getIntegrity } from './integrity/get-integrity.ts';
import { retryFailedEmail, showFailedEmails } from './job-monitor/failed-emails.ts';
import { listJobs, runJob } from './job-monitor/jobs.ts';
import {
  findLedgerTransfers,
  getLedgerInclusion,
  getLedgerTransfer,
  listLedgerAccounts,
  listLedgerSeals,
  writeLedgerTransfers,
} from './ledger-explorer/ledger-transfers.ts';
import { findMembers } from './members/find-members.ts';
import { getMemberPage } from './members/get-member-page.ts';
import { noteReading } from './members/note-reading.ts';
import { getSessionDetail } from './sessions/get-session-detail.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { rerunSession } from './sessions/rerun-session.ts';

/**
 * The console calls (docs/product.md, section 10) that join several domains or report on the installation; all others
 * belong to their own domain.
 */
export function mountConsole(http: Http, context: Context): void {
  mount(http, endpoints.consoleOverview, {
    getOverview: () => onReplica(onReserved(context), getOverview),
  });
  mountMembers(http, context);
  mount(http, endpoints.consoleLedger, {
    listLedgerAccounts: () => onReplica(context, listLedgerAccounts),
    listLedgerTransfers: async ({ query: { format, ...query } }) => {
      if (format !== 'csv') return onReplica(context, (reading) => findLedgerTransfers(reading, query));
      const { limit: _limit, cursor: _cursor, ...filter } = query;
      return asFile(await onReplica(context, (reading) => writeLedgerTransfers(reading, filter)));
    },
    getLedgerTransfer: ({ params }) => onReplica(context, (reading) => getLedgerTransfer(reading, params.id)),
    getLedgerInclusion: ({ params }) => onReplica(context, (reading) => getLedgerInclusion(reading, params.id)),
    listLedgerSeals: ({ query }) => onReplica(context, (reading) => listLedgerSeals(reading, query)),
  });
  mount(http, endpoints.consoleSessions, {
    listSessions: ({ query }) => onReplica(context, (reading) => listSessions(reading, query)),
    getSessionDetail: ({ params }) => onReplica(context, (reading) => getSessionDetail(reading, params.day)),
    rerunSession: (call) => rerunSession(context, actorOf(call), call.params.day),
  });
  mount(http, endpoints.audit, {
    listAudit: async ({ caller, query, address }) => {
      const { limit: _, cursor: __, format, ...search } = query;
      if (format !== 'csv') return listAudit(context, query);
      return asFile(await writeAuditFile(context, caller.operatorId, search, address));
    },
  });
  const proposals = proposalCalls(context, announcementKind);
  mount(http, endpoints.operatorAnnouncements, {
    listOperatorAnnouncements: ({ query }) => listOperatorAnnouncements(context, query),
    writeAnnouncement: (call) => writeAnnouncement(context, actorOf(call), call.body),
    endAnnouncement: (call) => endAnnouncement(context, actorOf(call), call.params.id),
    listAnnouncementProposals: proposals.list,
    approveAnnouncement: proposals.approve,
    rejectAnnouncement: proposals.reject,
    withdrawAnnouncement: proposals.withdraw,
  });
  mount(http, endpoints.consoleJobs, {
    listJobs: async () => ({ items: await listJobs(context) }),
    runJob: (call) => runJob(context, actorOf(call), call.params.name),
    listFailedEmails: ({ query }) => showFailedEmails(context, query),
    retryFailedEmail: (call) => retryFailedEmail(context, actorOf(call), call.params.id),
  });
}

export function mountIntegrity(http: Http, context: Context): void {
  mount(http, endpoints.integrity, {
    getIntegrity: () => getIntegrity(context.db),
    runIntegrity: (call) => askForCheck(context, actorOf(call)),
    takeSnapshot: async (call) => {
      const taken = await requestSnapshot(context, actorOf(call));
      return taken && showSnapshot(taken);
    },
  });
}

function mountMembers(http: Http, context: Context): void {
  const { db } = context;
  /** The member to read about, after the reading is in the audit log. */
  const memberOf = async (call: Omit<OperatorCall<unknown>, 'body'>): Promise<bigint> =>
    (await noteReading(context, actorOf(call), call.params.id)).id;

  mount(http, endpoints.consoleMembers, {
    findMembers: ({ query }) => onReplica(context, (reading) => findMembers(reading, query)),
    getMemberPage: (call) => getMemberPage(context, actorOf(call), call.params.id),
    listMovementsOf: async (call) => {
      const memberId = await memberOf(call);
      return onReplica(context, (reading) => listMovements(reading, memberId, call.query));
    },
    listTradesOf: async (call) => {
      const memberId = await memberOf(call);
      return onReplica(context, (reading) => listTrades(reading.db, { memberId, ...call.query }));
    },
    listPlansOf: async (call) => listPlans(db, { memberId: await memberOf(call), ...call.query }),
    listDepositsOf: async (call) => {
      const { items, next_cursor } = await listDeposits(context, await memberOf(call), call.query);
      return { items, next_cursor };
    },
    listWithdrawalsOf: async (call) => listWithdrawals(context, await memberOf(call), call.query),
    listTicketsOf: async (call) => listTicketsOfMember(db, await memberOf(call), call.query),
  });
}
