import type { Generated } from 'kysely'

export interface JobsTable {
  id: string
  kind: string
  /** Input of the job as JSON, defined by its kind. */
  task: string
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted'
  attempts: number
  due_at: number
  /** While it runs; if the worker dies, it loses the job then. */
  lease_until: number
  /** Output, for people. */
  report: string
  created_at: number
  ended_at: number | null
  /** The user whose job it is; null for the server's own. */
  user_id: number | null
  /** At most one job of a topic waits; empty for jobs of no topic. */
  topic: Generated<string>
  /** The server that runs a user job; empty if it is an older version's. */
  holder: Generated<string>
  /** How another server starts a user job anew; empty if that is not possible, or not any more. */
  request: Generated<string>
  /** Whether somebody has cancelled it while it ran. */
  cancelled: Generated<number>
}
