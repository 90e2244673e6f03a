import { describe, expect, it } from 'bun:test'
import { ALL_RIGHTS, NO_RIGHTS } from '../access/permissions.ts'
import { readHookReply } from './hook-reply.ts'

const BEFORE = { perm: { ...NO_RIGHTS, create: true, share: true }, sorting: { by: 'size', asc: true } } as const
const granted = (...lines: string[]) => readHookReply(lines.join('\n')).grantedOver(BEFORE)

describe('the output of a sign-in hook', () => {
  it('consists of lines of key=value, split at the first =, with any white space and line ends', () => {
    const reply = readHookReply('hook.action = auth \r\n\r\nno line\n user.locale\t=\tde=x \n=\n')
    expect([reply.action, reply.grantedOver(BEFORE)]).toEqual(['auth', { locale: 'de=x' }])
  })

  it('leaves fields unset that it does not name, and ignores unknown ones', () => {
    expect(
      granted('hook.action=auth', 'user.id=1', 'user.password=x', 'user.rules=[]', '__proto__=x', 'user.__proto__.admin=true'),
    ).toEqual({})
    expect(granted('user.viewMode=tiles', 'user.sorting.by=colour')).toEqual({})
  })

  it('is true only for the text true', () => {
    for (const text of ['1', 'yes', 'TRUE', '']) expect(granted(`user.singleClick=${text}`)).toEqual({ singleClick: false })
    expect(granted('user.singleClick=true')).toEqual({ singleClick: true })
  })

  it('changes only the permissions it names; an administrator has all', () => {
    expect(granted('user.perm.create=false', 'user.perm.download=true').perm).toEqual({ ...BEFORE.perm, create: false, download: true })
    expect(granted('user.perm.admin=true', 'user.perm.share=false').perm).toEqual(ALL_RIGHTS)
    expect(granted('user.perm.admin=false').perm).toEqual(BEFORE.perm)
  })

  it('may name only one field of the sort order', () => {
    expect(granted('user.sorting.by=name')).toEqual({ sorting: { by: 'name', asc: true } })
    expect(granted('user.sorting.asc=false')).toEqual({ sorting: { by: 'size', asc: false } })
  })
})
