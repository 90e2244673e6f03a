import { describe, expect, it } from 'bun:test'
import { pastedFiles } from './pasted.ts'

const now = new Date(2026, 10, 23, 14, 5, 9)

describe('U15: files from the clipboard', () => {
  it('gives a picture that has no name one by its time', () => {
    const [file] = pastedFiles([new File(['x'], 'image.png', { type: 'image/png' })], { prefix: 'Pasted image', now })
    expect(file?.name).toBe('Pasted image 2026-11-23 14.05.09.png')
    expect(file?.type).toBe('image/png')
  })

  it('leaves the names of files alone', () => {
    const files = [new File(['x'], 'report.pdf'), new File(['y'], 'my image.png')]
    expect(pastedFiles(files, { prefix: 'Pasted image', now }).map(({ name }) => name)).toEqual(['report.pdf', 'my image.png'])
  })
})
