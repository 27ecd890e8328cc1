/** The scaling factor for display: 0.75, or 1 when not scaled or nothing was due. */
export const scaleOf = (pool: bigint, total: bigint): number => (pool < total ? Number(pool) / Number(total) : 1);

/** Paid ÷ nominal for display; null when nothing was due. */
export const paidPart = (paid: bigint, nominal: bigint): number | null =>
  nominal === 0n ? null : Number(paid) / Number(nominal);
