/** The other processes that use the same database at this moment. */
export interface Peers {
  /** Fails if the database is no longer where it was. */
  probe(): Promise<void>
  /** Milliseconds since 1970 by the clock that all of them share. */
  now(): number
  /** A server calls this before its first query; `log` is for warnings to the operator. Throws `DatabaseProblem` if it may not serve. */
  serve(log: (line: string) => void): void
  /** Starts listening; for long-running processes. */
  start(): Promise<void>
  /** A number that changes when one of them has written, as far as is known; never the same twice while nobody listens. */
  writes(): number
  /** Sends a text of less than 8,000 bytes to all of them. */
  send(text: string): Promise<void>
  /** Runs `work` while nobody else, in this or another process, holds the same key. Fails with `busy` if that takes too long. */
  exclusively<T>(keys: string | readonly string[], work: () => Promise<T>): Promise<T>
  /**
   * A short transaction beside all other writers, of which nobody is told: runs `read`, and then what `step` says to write, while nobody else holds
   * `lock`. If `step` throws, nothing is written. Only for shared databases.
   */
  briefly<T>(
    lock: string,
    sql: { read: string },
    step: (rows: readonly Record<string, unknown>[]) => { result: T; write: string | null },
  ): Promise<T>
  /** @returns a function that unsubscribes */
  onMessage(listener: (text: string) => void): () => void
  /** Calls `listener` whenever messages may have been missed and arrive again. */
  onGap(listener: () => void): void
}

/** Every server holds this lock of a shared database while it listens; it shows whether there is one. */
export const SERVER_LOCK = 0x5a7c4e2

/** For databases without other processes to hear. */
export function noPeers(writes: () => number, { serve = () => undefined, probe = async () => undefined }: Partial<Peers> = {}): Peers {
  return {
    serve,
    probe,
    start: async () => {},
    now: Date.now,
    writes,
    send: async () => {},
    exclusively: (_, work) => work(),
    briefly: async () => {
      throw new Error('only for shared databases')
    },
    onMessage: () => () => {},
    onGap: () => undefined,
  }
}
