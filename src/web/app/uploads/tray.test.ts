import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../../shared/file-path.ts'
import type { Upload, UploadState } from '../../data/uploads/queue.ts'
import { summarise, toShow } from './tray.ts'

describe('the upload tray', () => {
  it('shows failures first, then what runs, and ten thousand files as a number', () => {
    const uploads = [...Array.from({ length: 10_000 }, (_, i) => upload(i, 'waiting')), upload(10_000, 'active'), upload(10_001, 'failed')]
    const { shown, more } = toShow(uploads)
    expect(shown.slice(0, 3).map(({ state }) => state)).toEqual(['failed', 'active', 'waiting'])
    expect(shown.length + more).toBe(10_002)
    expect(shown.length).toBeLessThanOrEqual(40)
  })

  it('counts bytes of what is done and under way, not of what was given up', () => {
    const summary = summarise([upload(1, 'done', 100), upload(2, 'active', 40), upload(3, 'cancelled', 10), upload(4, 'failed', 10)])
    expect(summary).toEqual({ count: 4, done: 1, failed: 1, stopped: 2, open: 1, bytes: 200, sent: 140 })
  })
})

function upload(id: number, state: UploadState, sent = 0): Upload {
  return { id, path: parseFilePath(`/${id}`), size: 100, sent, state, error: null }
}
