import * as z from 'zod/mini'
import { MAX_FAVOURITES, MAX_RECENT } from '../limits.ts'
import { endpoint } from './endpoint.ts'

/** A file or folder as its viewer sees it now. */
const ListedNode = z.object({
  path: z.string(),
  isDir: z.boolean(),
  isSymlink: z.boolean(),
  /** Bytes. */
  size: z.number(),
  /** Milliseconds since 1970. */
  modified: z.number(),
})

export const Favourite = ListedNode
export type Favourite = z.infer<typeof Favourite>

export const RECENT_ACTIONS = ['opened', 'edited', 'uploaded'] as const
export type RecentAction = (typeof RECENT_ACTIONS)[number]

export const RecentFile = z.extend(ListedNode, {
  how: z.enum(RECENT_ACTIONS),
  /** Milliseconds since 1970. */
  at: z.number(),
})
export type RecentFile = z.infer<typeof RecentFile>

/** `at`: milliseconds since 1970; the current time if absent. */
const Visit = z.object({ path: z.string(), how: z.enum(RECENT_ACTIONS), at: z.optional(z.number()) })

/** Favourites and recent files, private to each user. Nodes that cannot be accessed now are left out. */
export const favourites = {
  /** Favourites in the user's order, and whether recent files are remembered. */
  mine: endpoint('user', 'GET /api/places', { result: z.object({ favourites: z.array(Favourite), keepsRecent: z.boolean() }) }),
  /** Sorts favourites; those that are not named come after them, in their old order. */
  arrange: endpoint('user', 'PUT /api/places', {
    body: z.object({ paths: z.array(z.string()).check(z.maxLength(MAX_FAVOURITES)) }),
    result: 'empty',
  }),
  /** Adds a file or folder to the end of the favourites; an existing one keeps its position. */
  star: endpoint('user', 'PUT /api/favourites/*path', { result: 'empty' }),
  unstar: endpoint('user', 'DELETE /api/favourites/*path', { result: 'empty' }),
  /** The newest first. */
  recent: endpoint('user', 'GET /api/recent', { result: z.array(RecentFile) }),
  /** Records that files were opened, edited or uploaded, in order, or at an earlier time. Paths that are not the user's files are ignored. */
  visit: endpoint('user', 'POST /api/recent', {
    body: z.object({ files: z.array(Visit).check(z.maxLength(MAX_RECENT)) }),
    result: 'empty',
  }),
  /** With `false`, recent files are no longer remembered, and existing ones are removed. */
  keep: endpoint('user', 'PUT /api/recent', { body: z.object({ keep: z.boolean() }), result: 'empty' }),
  leave: endpoint('user', 'DELETE /api/recent/*path', { result: 'empty' }),
  forget: endpoint('user', 'DELETE /api/recent', { result: 'empty' }),
}
