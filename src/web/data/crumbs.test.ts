import { describe, expect, it } from 'bun:test'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import { crumbsOf } from './crumbs.ts'

describe('breadcrumbs', () => {
  it('show every folder of a short path', () => {
    expect(seen('/a/b/c')).toEqual({ hidden: [], shown: ['/a', '/a/b', '/a/b/c'] })
  })

  it('show three folders of a longer path, the first as …', () => {
    expect(seen('/a/b/c/d')).toEqual({ hidden: ['/a', '/a/b'], shown: ['/a/b/c', '/a/b/c/d'] })
  })

  it('are empty at the root', () => {
    expect(crumbsOf(ROOT)).toEqual({ hidden: [], shown: [] })
  })

  it('keep names unchanged, including percent signs', () => {
    expect(crumbsOf(parseFilePath('/100%/%2F')).shown.map(({ name }) => name)).toEqual(['100%', '%2F'])
  })
})

function seen(path: string) {
  const { hidden, shown } = crumbsOf(parseFilePath(path))
  return { hidden: hidden.map((crumb) => String(crumb.path)), shown: shown.map((crumb) => String(crumb.path)) }
}
