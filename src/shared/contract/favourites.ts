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

/** What was done with a recent file the last time. */
export const RECENT_ACTIONS = ['opened', 'edited', 'uploaded'] as const
export type RecentAction = (typeof RECENT_ACTIONS)[number]

export const RecentFile = z.extend(ListedNode, {
  how: z.enum(RECENT_ACTIONS),
  /** Milliseconds since 1970. */
  at: z.number(),
})
export type RecentFile = z.infer<typeof RecentFile>

/** `at`: milliseconds since 1970; now, where it is not said. */
const Visit = z.object({ path: z.string(), how: z.enum(RECENT_ACTIONS), at: z.optional(z.number()) })

/** What somebody comes back to: each person's own, which nobody else is shown. What is out of reach now is left out. */
export const favourites = {
  /** Favourites in their owner's order, and whether recent files are remembered. */
  mine: endpoint({
    by: 'user',
    needs: [],
    method: 'GET',
    path: '/api/places',
    result: z.object({ favourites: z.array(Favourite), keepsRecent: z.boolean() }),
  }),
  /** Puts favourites into this order; those that are not named come after them, as they were. */
  arrange: endpoint({
    by: 'user',
    needs: [],
    method: 'PUT',
    path: '/api/places',
    body: z.object({ paths: z.array(z.string()).check(z.maxLength(MAX_FAVOURITES)) }),
    result: 'empty',
  }),
  /** Makes a favourite of a file or folder, the last in order; one that is, stays where it is. */
  star: endpoint({ by: 'user', needs: [], method: 'PUT', path: '/api/favourites/*path', result: 'empty' }),
  unstar: endpoint({ by: 'user', needs: [], method: 'DELETE', path: '/api/favourites/*path', result: 'empty' }),
  /** The newest first. */
  recent: endpoint({ by: 'user', needs: [], method: 'GET', path: '/api/recent', result: z.array(RecentFile) }),
  /** Tells of files that somebody has had before their eyes or sent just now, the last of them last, or at a time gone by. What is no file of theirs is passed over. */
  visit: endpoint({
    by: 'user',
    needs: [],
    method: 'POST',
    path: '/api/recent',
    body: z.object({ files: z.array(Visit).check(z.maxLength(MAX_RECENT)) }),
    result: 'empty',
  }),
  /** With `false` nothing is remembered from now on, and what was is forgotten. */
  keep: endpoint({ by: 'user', needs: [], method: 'PUT', path: '/api/recent', body: z.object({ keep: z.boolean() }), result: 'empty' }),
  /** Takes one file off the list. */
  leave: endpoint({ by: 'user', needs: [], method: 'DELETE', path: '/api/recent/*path', result: 'empty' }),
  /** Forgets what was remembered. */
  forget: endpoint({ by: 'user', needs: [], method: 'DELETE', path: '/api/recent', result: 'empty' }),
}
