/** The other processes that use the same database at this moment. */
export interface Peers {
  /** Fails when the database is not where it was any more. */
  probe(): Promise<void>
  /** To be called by a server before its first question; `log` is for what its operator should know. Throws `DatabaseProblem` where it may not serve. */
  serve(log: (line: string) => void): void
  /** Begins to listen to them; to be called by whoever lives long enough for that to matter. */
  start(): Promise<void>
  /** A number that is another one as soon as one of them has written, as far as is known; never the same twice while nobody listens. */
  writes(): number
  /** Sends a text of less than 8,000 bytes to all of them. */
  send(text: string): Promise<void>
  /** Runs `work` while nobody else does, in this process or another one, what has the same key. Fails with `busy` when that takes too long. */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T>
  /** @returns a function that stops listening */
  onMessage(listener: (text: string) => void): () => void
}

/** Held, among the locks of a shared database, by every server for as long as it listens: by it one can tell whether there is any. */
export const SERVER_LOCK = 0x5a7c4e2

/** Where nobody else can be heard. */
export function noPeers(writes: () => number, { serve = () => undefined, probe = async () => undefined }: Partial<Peers> = {}): Peers {
  return { serve, probe, start: async () => {}, writes, send: async () => {}, exclusively: (_, work) => work(), onMessage: () => () => {} }
}
