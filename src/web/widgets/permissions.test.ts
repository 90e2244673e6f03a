import { describe, expect, it } from 'bun:test'
import { lockOf, withRight } from './permissions.ts'
import { NONE } from './test-permissions.ts'

describe('permissions in a form', () => {
  it('are all on for an administrator, and stay as they are when that ends', () => {
    const admin = withRight({ ...NONE, create: true }, 'admin', true)
    expect(Object.values(admin)).toEqual(Array.from({ length: 8 }, () => true))
    expect(withRight(admin, 'admin', false)).toEqual({ ...admin, admin: false })
  })

  it('allow sharing only with downloading', () => {
    const sharing = withRight(NONE, 'share', true)
    expect(sharing).toEqual({ ...NONE, share: true, download: true })
    expect(withRight(sharing, 'share', false)).toEqual({ ...NONE, download: true })
  })

  it('say why one cannot be changed by itself', () => {
    const admin = withRight(NONE, 'admin', true)
    expect([lockOf(admin, 'create'), lockOf(admin, 'admin')]).toEqual(['admin', null])
    expect(lockOf(withRight(NONE, 'share', true), 'download')).toBe('share')
    expect(lockOf(NONE, 'download')).toBeNull()
  })
})
