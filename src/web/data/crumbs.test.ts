import { describe, expect, it } from 'bun:test'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import { crumbsOf } from './crumbs.ts'

describe('breadcrumbs', () => {
  it('show every folder on a short way', () => {
    expect(seen('/a/b/c')).toEqual({ hidden: [], shown: ['/a', '/a/b', '/a/b/c'] })
  })

  it('of a longer way show three, the first as … for all before', () => {
    expect(seen('/a/b/c/d')).toEqual({ hidden: ['/a', '/a/b'], shown: ['/a/b/c', '/a/b/c/d'] })
  })

  it('at the top are none', () => {
    expect(crumbsOf(ROOT)).toEqual({ hidden: [], shown: [] })
  })

  it('keep names as they are, percent signs and all', () => {
    expect(crumbsOf(parseFilePath('/100%/%2F')).shown.map(({ name }) => name)).toEqual(['100%', '%2F'])
  })
})

function seen(path: string) {
  const { hidden, shown } = crumbsOf(parseFilePath(path))
  return { hidden: hidden.map((crumb) => String(crumb.path)), shown: shown.map((crumb) => String(crumb.path)) }
}
