import { describe, expect, it } from 'bun:test'
import type { FileRight } from '../../shared/contract/rights.ts'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { NONE } from '../widgets/test-permissions.ts'
import { listingFrom } from './listing.ts'
import { permissionsFor, permissionsIn, permissionsToDrop, permissionsWith } from './rights.ts'

const PERSON = { ...NONE, execute: true, create: true, rename: true, modify: true, delete: true, share: true, download: true }

describe('rights of a folder', () => {
  it('count instead of those of the account, also for an administrator: a root may be read-only', () => {
    expect(permissionsWith(PERSON, ['download'])).toEqual({ ...NONE, execute: true, download: true })
    expect(permissionsWith(PERSON, undefined)).toBe(PERSON)
    expect(permissionsWith({ ...PERSON, admin: true }, ['download'])).toMatchObject({
      admin: true,
      download: true,
      delete: false,
      told: true,
    })
    expect(permissionsIn(folder(['create']), NONE)).toEqual({ ...NONE, create: true })
  })

  it('of a selection are what all entries allow; the folder decides about new ones', () => {
    const listing = folder(['create', 'rename', 'delete'], { locked: ['download'] })
    expect(permissionsFor(listing, NONE, ['a'])).toEqual({ ...NONE, create: true, rename: true, delete: true })
    expect(permissionsFor(listing, NONE, ['a', 'locked'])).toEqual({ ...NONE, create: true })
    expect(permissionsFor(folder(null), PERSON, ['a'])).toBe(PERSON)
  })

  it('for a drop are those of the folder below the pointer, and a move needs “rename” where it comes from', () => {
    const listing = folder(['rename', 'download'], { inbox: ['create'], locked: ['download'] })
    const drop = (target: string, chosen: number[]) => {
      const { create, rename } = permissionsToDrop(listing, NONE, { target: at(target), chosen })
      return [create, rename]
    }
    expect(drop('/docs/inbox', [0])).toEqual([true, true])
    expect(drop('/docs/locked', [0])).toEqual([false, false])
    expect(drop('/docs/inbox', [2])).toEqual([true, false])
    expect(drop('/docs', [0])).toEqual([false, true])
    // Only the server knows about other folders.
    expect(drop('/', [0])).toEqual([false, true])
  })
})

function folder(rights: FileRight[] | null, rightsOf: Record<string, FileRight[]> = {}) {
  const names = ['a', 'inbox', 'locked']
  return listingFrom(
    {
      kind: 'rows',
      path: '/docs',
      name: 'docs',
      modified: '2026-11-20T10:00:00Z',
      sorting: { by: 'name', asc: false },
      numDirs: 3,
      numFiles: 0,
      names,
      sizes: [0, 0, 0],
      modifieds: [0, 0, 0],
      types: [16, 16, 16],
      ...(rights !== null && { rights, rightsOf }),
    },
    at('/docs'),
  )
}
