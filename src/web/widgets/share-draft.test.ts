import { describe, expect, it } from 'bun:test'
import { draftOf, problemsOf, changesIn } from './share-draft.ts'

const PLAIN = draftOf()

describe('what one says of a link', () => {
  it('is nothing where nothing was typed, so that the body of the request stays empty', () => {
    expect(changesIn(PLAIN)).toEqual({})
    expect(problemsOf(PLAIN)).toEqual({})
  })

  it('says only what is different', () => {
    expect(changesIn({ ...PLAIN, title: ' For you ', maxDownloads: '3' })).toEqual({ title: 'For you', maxDownloads: 3 })
    expect(changesIn({ ...PLAIN, rights: 'drop', maxFile: '1,5', types: '.JPG; *.png heic' })).toEqual({
      rights: 'drop',
      drop: { maxFile: 1_572_864, maxFiles: 0, maxBytes: 0, types: ['jpg', 'png', 'heic'] },
    })
  })

  it('keeps the minute of a beginning through the person’s own time zone', () => {
    const starts = Date.parse('2030-05-04T03:02:00Z') / 1000
    const before = { slug: '', title: '', message: '', rights: 'download' as const, starts, maxDownloads: 0, logVisits: true }
    const known = { ...before, drop: { maxFile: 0, maxFiles: 0, maxBytes: 0, types: [] } }
    const draft = draftOf(known)
    expect(changesIn(draft, known)).toEqual({})
    expect(changesIn(draft)).toEqual({ starts })
    expect(changesIn({ ...draft, starts: '' }, known)).toEqual({ starts: 0 })
  })

  it('knows what cannot be sent', () => {
    const wrong = {
      ...PLAIN,
      slug: 'a b',
      title: 'x'.repeat(121),
      maxDownloads: '-1',
      maxFiles: '1.5',
      maxFile: 'x',
      maxBytes: '1e3',
      types: 'j/p',
    }
    expect(problemsOf(wrong)).toEqual({
      slug: 'slug-form',
      title: 'long',
      maxDownloads: 'count',
      maxFiles: 'count',
      maxFile: 'size',
      maxBytes: 'size',
      types: 'types',
    })
    expect(problemsOf({ ...PLAIN, slug: 'Login' })).toEqual({ slug: 'slug-reserved' })
  })
})
