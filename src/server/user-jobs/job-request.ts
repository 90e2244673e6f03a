import * as z from 'zod/mini'
import { JobRequest } from '../../shared/contract/jobs.ts'
import type { Viewer } from '../access/viewer.ts'

/** Whose job it is: who signed in, and how. */
export type JobOwner = Pick<Viewer, 'userId' | 'username' | 'sessionId' | 'token' | 'gesture' | 'through'>

/** What another server needs to start a job anew. */
export interface StoredRequest {
  readonly order: JobRequest
  readonly owner: JobOwner
}

const Stored = z.object({
  order: JobRequest,
  owner: z.object({
    userId: z.number(),
    username: z.string(),
    sessionId: z.string(),
    // Written from a token that was checked when it was made.
    token: z.optional(z.custom<NonNullable<Viewer['token']>>()),
    gesture: z.optional(z.object({ group: z.string(), joins: z.boolean(), hasChanged: z.boolean() })),
  }),
})

/** Empty for somebody who acts through a share: what they may do then cannot be written down. */
export function writeRequest(order: JobRequest, { userId, username, sessionId, token, gesture, through }: JobOwner): string {
  if (through !== undefined) return ''
  return JSON.stringify({ order, owner: { userId, username, sessionId, token, gesture } } satisfies StoredRequest)
}

/** Throws for one that another version wrote, and that this one does not understand. */
export function readRequest(text: string): StoredRequest {
  const { order, owner } = Stored.parse(JSON.parse(text))
  const { token, gesture, ...who } = owner
  return { order, owner: { ...who, ...(token && { token }), ...(gesture && { gesture }) } }
}
