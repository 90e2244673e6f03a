import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../../shared/file-path.ts'
import { dropForEntries } from './drag.ts'

const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }

describe('dropping entries on a folder', () => {
  it('moves them, and with Ctrl copies', () => {
    expect(offer(['/a/x'], '/b', false)?.kind).toBe('move')
    expect(offer(['/a/x'], '/b', true)?.kind).toBe('copy')
  })

  it('is refused on themselves, below themselves, and where they are', () => {
    expect(offer(['/a', '/b'], '/b', false)).toBeNull()
    expect(offer(['/a'], '/a/sub', true)).toBeNull()
    expect(offer(['/a/x'], '/a', false)).toBeNull()
  })

  it('needs the right for it', () => {
    const sources = [parseFilePath('/a/x')]
    expect(dropForEntries(sources, parseFilePath('/b'), { copy: false, perm: { ...perm, rename: false } })).toBeNull()
    expect(dropForEntries(sources, parseFilePath('/b'), { copy: true, perm: { ...perm, create: false } })).toBeNull()
  })
})

function offer(sources: string[], target: string, copy: boolean) {
  return dropForEntries(sources.map(parseFilePath), parseFilePath(target), { copy, perm })
}
