import type { Access } from '../access/access.ts'
import { type AccessChanges, createLatest } from '../access/latest.ts'
import type { Viewer } from '../access/viewer.ts'
import { fail } from '../../shared/errors.ts'
import type { Layer } from './router.ts'

export interface ThroughShareOptions {
  /** The access of a recipient; null if they have none now. */
  readonly open: (viewer: Viewer, id: string) => Promise<Access | null>
  readonly changes: AccessChanges
}

/** The address of a share with people is a server of its own: what follows is as at the base URL. */
const WITH_ME = /^\/with-me\/([\w-]{8})(\/.*)?$/s

/** Splits the path of a request below the base URL: which share it is in, and the path there. */
export function splitShare(path: string): { share: string | null; path: string } {
  const [, share, rest = '/'] = path.startsWith('/with-me/') ? (WITH_ME.exec(path) ?? []) : []
  return share === undefined ? { share: null, path } : { share, path: rest }
}

/** What precedes addresses within a share; empty outside. */
export function shareAddress(share: string | null): string {
  return share === null ? '' : `/with-me/${share}`
}

/**
 * Within a share, the viewer's access is that of a recipient, and stays current as long as the share and the sign-in do. Whether a call is about the
 * shared files, `mount` decides. Put it after `authenticate`.
 */
export function throughShare({ open, changes }: ThroughShareOptions): Layer {
  return (c, next) => {
    const { share, viewer: own, reauthenticate } = c
    if (share === null || own === null) return next()
    const enter = async (now: Viewer): Promise<Viewer> => {
      const access = await open(now, share)
      const through = { share, own: now, isOpen: access !== null }
      return access === null ? { ...now, through } : { ...now, access, through }
    }
    const accessNow = async (): Promise<Access> => {
      const now = (await reauthenticate({ passive: true })) ?? fail('sign-in-needed', {})
      return (await open(now, share)) ?? fail('access-changed', {})
    }
    const proceed = async (): Promise<Response> => {
      const viewer = await enter(own)
      const latest = createLatest(viewer.access, accessNow, changes)
      c.viewer = viewer.through?.isOpen === true ? { ...viewer, access: { ...viewer.access, latest } } : viewer
      c.reauthenticate = async (how) => {
        const now = await reauthenticate(how)
        return now === null ? null : enter(now)
      }
      return next()
    }
    return proceed()
  }
}
