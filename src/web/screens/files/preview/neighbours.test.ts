import { describe, expect, it } from 'bun:test'
import { neighboursOf } from './neighbours.ts'

const files = [
  { name: 'a.jpg', type: 'image' },
  { name: 'b.txt', type: 'text' },
  { name: 'c.mp4', type: 'video' },
  { name: 'd.zip', type: 'blob' },
] as const

describe('the neighbours of a preview', () => {
  it('skip what is no media', () => {
    expect(neighboursOf(files, 'a.jpg')).toEqual({ previous: null, next: 'c.mp4', at: 1, count: 2 })
    expect(neighboursOf(files, 'c.mp4')).toEqual({ previous: 'a.jpg', next: null, at: 2, count: 2 })
  })

  it('exist for a file that is no media itself, and not for one that is gone', () => {
    expect(neighboursOf(files, 'd.zip')).toEqual({ previous: 'c.mp4', next: null, at: 0, count: 2 })
    expect(neighboursOf(files, 'gone')).toEqual({ previous: null, next: null, at: 0, count: 2 })
  })
})
