import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleMembers, FoundMember, MemberFind } from '#contract/operator/members.ts';
import { listEmailRequests, memberSearch, nameMember } from '#server/accounts/index.ts';
import { findProposalMember } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import {
  findDepositOwner,
  findWithdrawalOwner,
  listAddressOwners,
  listStoppedWithdrawals,
  listTransactionOwners,
} from '#server/funds/index.ts';
import { countWords, listIdsByName, maskEmail, maskMobile } from '#server/team/index.ts';
import { findTicketOwner } from '#server/tickets/index.ts';
import { findTradeOwner } from '#server/trading/index.ts';
import { type Reference, readSearch, type SearchTerms } from '../core/search-terms.ts';

/** The most members that each kind of match returns: two letters of a common name need a longer search. */
const MAX_FOUND = 1_000;

type FindMembers = typeof consoleMembers.findMembers;

/**
 * A page of the members that match a text, newest first; of all members without one. Each meaning of the text has its
 * own index lookup, so a million members take no longer than a hundred.
 */
export async function findMembers(
  { db }: Context,
  { search, cursor, limit }: QueryOf<FindMembers>,
): Promise<DataOf<FindMembers>> {
  const before = readIdCursor(cursor);
  const found = search === undefined ? undefined : await findIds(db, readSearch(search));
  const ids = found && [...found.by.keys()];
  const { rows: shown, nextCursor } = cutPage(
    await memberSearch.listMemberRows(db, { ids, before, limit: limit + 1 }),
    limit,
    ({ id }) => id,
  );
  const shownIds = shown.map((row) => row.id);
  const stopped = new Set([
    ...(await listStoppedWithdrawals(db, shownIds)).map((row) => row.member_id),
    ...(await listEmailRequests(db, shownIds)).map((row) => row.memberId),
  ]);
  return {
    items: shown.map((row) => ({
      ...showFound(row),
      withdrawals_frozen: stopped.has(row.id),
      found_by: found?.by.get(row.id) ?? null,
    })),
    next_cursor: nextCursor,
    more: found?.isCut ?? false,
  };
}

type Ids = { readonly by: ReadonlyMap<bigint, MemberFind>; readonly isCut: boolean };

async function findIds(db: Db, terms: SearchTerms): Promise<Ids> {
  const by = new Map<bigint, MemberFind>();
  let isCut = await isNameCut(db, terms);
  for (const [find, ids] of await Promise.all(waysOf(db, terms))) {
    // Matches are in order of certainty: the first one for a member is the one shown.
    for (const id of ids) if (!by.has(id)) by.set(id, find);
    isCut ||= ids.length >= MAX_FOUND;
  }
  return { by, isCut };
}

/** Name lookups filter the matches of the first word by the others, so a cut may hide members who match all of them. */
async function isNameCut(db: Db, { nameWords: [first] }: SearchTerms): Promise<boolean> {
  return first !== undefined && (await countWords(db, first, MAX_FOUND)) > MAX_FOUND;
}

function waysOf(db: Db, terms: SearchTerms): Promise<readonly [MemberFind, readonly bigint[]]>[] {
  const { id, referralCode, email, mobile, lastDigits, nameWords, address, reference, transaction } = terms;
  const way = async <T>(find: MemberFind, term: T | undefined, list: (term: T) => Promise<bigint[]>) =>
    [find, term === undefined ? [] : await list(term)] as const;
  return [
    way('id', id, (term) => memberSearch.listIdsById(db, term)),
    way('referral_code', referralCode, (term) => memberSearch.listIdsByCode(db, term)),
    way('reference', reference, (term) => findByReference(db, term)),
    way('transaction', transaction, (term) => listTransactionOwners(db, term)),
    way('address', address, (term) => listAddressOwners(db, term, MAX_FOUND)),
    way('name', nameWords.length === 0 ? undefined : nameWords, (term) => listIdsByName(db, term, MAX_FOUND)),
    way('email', email, (term) => memberSearch.listIdsByEmail(db, term, MAX_FOUND)),
    way('mobile_number', mobile, (term) => memberSearch.listIdsByMobile(db, term, MAX_FOUND)),
    way('mobile_number', lastDigits, (term) => memberSearch.listIdsByLastDigits(db, term, MAX_FOUND)),
  ];
}

async function findByReference(db: Db, { kind, text }: Reference): Promise<bigint[]> {
  const owner = await ownerOf[kind]?.(db, text);
  return owner === undefined ? [] : [owner];
}

const ownerOf: Partial<Record<Reference['kind'], (db: Db, text: string) => Promise<bigint | undefined>>> = {
  deposit: async (db, text) => (await findDepositOwner(db, text))?.member_id,
  withdrawal: async (db, text) => (await findWithdrawalOwner(db, text))?.member_id,
  ticket: findTicketOwner,
  trade: (db, text) => findTradeOwner(db, BigInt(text)),
  adjustment: findProposalMember,
  loosening: findProposalMember,
  email_change: findProposalMember,
};

const showFound = (row: memberSearch.ListedMember): Omit<FoundMember, 'withdrawals_frozen' | 'found_by'> => ({
  ...nameMember(row),
  email: row.isClosed ? '' : maskEmail(row.email),
  mobile_number: row.isClosed ? '' : maskMobile(row.mobileNumber),
  created_at: row.createdAt.toISOString(),
  frozen: row.isFrozen,
  closed: row.isClosed,
  verified: row.isVerified,
});
