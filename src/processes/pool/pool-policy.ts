/** Slots of one class that each child of a pool has. */
export interface SlotClass {
  /** Requests of the class that one child serves at the same time. */
  readonly perChild: number;
  /** How accounts share the slots, see {@link FairShare}; 0 if one account may use all. */
  readonly freePerUsed: number;
}

/** How a pool uses its children. */
export interface PoolPolicy {
  /**
   * Children that are kept ready, or at work if they can serve again after it. One that belongs to
   * an account does not count.
   */
  readonly min: number;
  /** Most processes at the same time, with those that start and end. */
  readonly max: number;
  /** How much a child is used before another one replaces it: 1 if it serves one request only. */
  readonly maxUse: number;
  /** Ends a child that has been used more than this, once it has been idle for so long. */
  readonly retireIdle?: { readonly use: number; readonly afterMs: number };
  /** Whether a child that has served an account serves no other. */
  readonly belongsToAccount?: boolean;
  /** Most idle children that belong to accounts; the one that was used longest ago is ended. */
  readonly maxIdleOwned?: number;
  /** The slots of a child by class. One slot if absent: a child serves one request at a time. */
  readonly slots?: Readonly<Record<string, SlotClass>>;
  /**
   * Whether requests wait for the next attempt if a child cannot start. If not, each failed start
   * fails the request that has waited longest.
   */
  readonly waitsForStart?: boolean;
  /** How long a child may take to become ready. */
  readonly readyTimeoutMs: number;
}

/** The slots of a child that serves one request at a time. */
export const ONE_SLOT: Readonly<Record<string, SlotClass>> = { '': { perChild: 1, freePerUsed: 0 } };
