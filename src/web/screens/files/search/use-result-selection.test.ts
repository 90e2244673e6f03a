import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../../../shared/file-path.ts'
import { between } from './use-result-selection.ts'

describe('U10: ticked results', () => {
  const found = ['/a', '/b', '/c', '/d'].map((path) => ({ path: at(path), isDir: false, snippets: [] }))

  it('reach from the last one to this one, in either direction, and are this one alone where the last is gone', () => {
    expect(between(found, at('/b'), at('/d'))).toEqual([at('/b'), at('/c'), at('/d')])
    expect(between(found, at('/c'), at('/a'))).toEqual([at('/a'), at('/b'), at('/c')])
    expect(between(found, at('/gone'), at('/a'))).toEqual([at('/a')])
    expect(between(found, null, at('/a'))).toEqual([at('/a')])
  })
})
