import { describe, expect, it } from 'bun:test'
import { checkFiles } from './check-files.ts'

const NO_LIMITS = { maxFile: 0, maxFiles: null, maxBytes: null, types: [] }
const file = (name: string, size = 1) => ({ name, size })

describe('what a drop box takes', () => {
  it('is everything where nothing is said', () => {
    const files = [file('a'), file('b.exe', 1e12)]
    for (const drop of [null, NO_LIMITS]) expect(checkFiles(files, drop)).toEqual({ fits: files, problems: [] })
  })

  it('is told by kind and size, in whatever case', () => {
    const { fits, problems } = checkFiles([file('a.JPG'), file('b.exe'), file('c.jpg', 11), file('jpg')], {
      ...NO_LIMITS,
      types: ['jpg'],
      maxFile: 10,
    })
    expect(fits).toEqual([file('a.JPG')])
    expect(problems.map(({ why }) => why)).toEqual(['type', 'size', 'type'])
  })

  it('is as many as there is room for', () => {
    const { fits, problems } = checkFiles([file('a'), file('b'), file('c')], { ...NO_LIMITS, maxFiles: 2 })
    expect([fits.length, problems]).toEqual([2, [{ why: 'count', most: 2 }]])
  })
})
