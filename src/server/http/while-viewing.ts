import { fail } from '../../shared/errors.ts'
import type { Access } from '../access/access.ts'
import { type AccessChanges, createLatest } from '../access/latest.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Layer } from './router.ts'

export interface WhileViewingOptions {
  /** The access of an administrator who looks as somebody else; null if they may not, or not any more. */
  readonly open: (viewer: Viewer, id: string) => Promise<Access | null>
  readonly changes: AccessChanges
}

/** What is seen as somebody else is a server of its own, as a share is: what follows is as at the base URL. */
const VIEW_AS = /^\/view-as\/([\w-]{12})(\/.*)?$/s

/** Splits the path of a request below the base URL: which view it is in, and the path there. */
export function splitViewing(path: string): { viewing: string | null; path: string } {
  const [, viewing, rest = '/'] = path.startsWith('/view-as/') ? (VIEW_AS.exec(path) ?? []) : []
  return viewing === undefined ? { viewing: null, path } : { viewing, path: rest }
}

/** What precedes addresses within a view; empty outside. */
export function viewingAddress(viewing: string | null): string {
  return viewing === null ? '' : `/view-as/${viewing}`
}

/**
 * Within a view, the viewer's access is to what somebody else sees, and stays so as long as the view and the sign-in do. Which calls are answered,
 * `mount` decides; what is no call of the API can only be read. Put it after `authenticate`.
 */
export function whileViewing({ open, changes }: WhileViewingOptions): Layer {
  return (c, next) => {
    const { viewing, viewer: own, reauthenticate, request, path } = c
    if (viewing === null) return next()
    if (!path.startsWith('/api/') && request.method !== 'GET' && request.method !== 'HEAD') fail('forbidden', { right: 'view' })
    if (own === null) return next()
    const enter = async (now: Viewer): Promise<Viewer> => {
      const access = await open(now, viewing)
      const looking = { viewing, own: now, isOpen: access !== null }
      return access === null ? { ...now, looking } : { ...now, access, looking }
    }
    const accessNow = async (): Promise<Access> => {
      const now = (await reauthenticate({ passive: true })) ?? fail('sign-in-needed', {})
      return (await open(now, viewing)) ?? fail('access-changed', {})
    }
    const proceed = async (): Promise<Response> => {
      const viewer = await enter(own)
      const latest = createLatest(viewer.access, accessNow, changes)
      c.viewer = viewer.looking?.isOpen === true ? { ...viewer, access: { ...viewer.access, latest } } : viewer
      c.reauthenticate = async (how) => {
        const now = await reauthenticate(how)
        return now === null ? null : enter(now)
      }
      return next()
    }
    return proceed()
  }
}
