import type { Permissions, Sorting } from '../../shared/contract/users.ts'
import { AppError } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import { compileRules } from '../access/rules.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Checksums } from '../archives/checksums.ts'
import { createArchiveLimits } from '../archives/respond.ts'
import { openDrive } from '../drive/drive.ts'
import { readNow } from '../drive/read-now.ts'
import { errorResponse } from '../http/errors.ts'
import { createRouter, type Router } from '../http/router.ts'
import type { Storage } from '../storage/storage.ts'
import { createFolderWriter } from './folder-writer.ts'
import { mountFiles } from './routes.ts'

export interface TestOptions {
  storage: Storage
  /** The user's. */
  scope?: FilePath
  sorting?: Sorting
}

/** For tests: this area alone, for one user. A header `x-without` names rights to remove. */
export function testApp({ storage, scope = ROOT, sorting = { by: 'name', asc: false } }: TestOptions): Router {
  const app = createRouter()
  app.use((c, next) => {
    const taken = (c.header('x-without') ?? '').split(' ').map((right) => [right, false])
    c.viewer = { ...viewerWith(scope, { ...ALL_RIGHTS, admin: false, ...Object.fromEntries(taken) }), sorting }
    return next()
  })
  mountFiles(app, {
    driveFor: (access) => openDrive(storage, access),
    readNow: (access, path) => readNow(storage, access, path),
    spaceOf: async (_, disk) => disk,
    onNdjsonClient: async () => {},
    writer: createFolderWriter(),
    options: { typeDetectionByHeader: true },
    archives: { checksums: FORGETFUL, limits: createArchiveLimits() },
    rootName: 'files',
  })
  app.onError((error, c) => {
    if (error instanceof AppError) return errorResponse(error, c.header('accept') ?? '')
    return new Response(String(error), { status: 500 })
  })
  return app
}

const FORGETFUL: Checksums = { recall: async () => [], learn: async () => {}, save: async () => {}, sweep: async () => {} }

function viewerWith(scope: FilePath, may: Permissions): Omit<Viewer, 'sorting'> {
  const access = { scope, start: ROOT, may, rules: compileRules([], [], { hideDotfiles: false }), hideDotfiles: false }
  return { userId: 1, username: 'ann', sessionId: 's', access, provenAt: new Date(0), shouldRenew: false, isWeb: false }
}
