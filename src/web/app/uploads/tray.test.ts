import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../../shared/file-path.ts'
import type { Upload, UploadState } from '../../data/uploads/queue.ts'
import { sortUploads, progressOf, visibleRows, summarise } from './tray.ts'

describe('the upload tray', () => {
  it('shows failures first, then running uploads, then the latest finished ones', () => {
    const uploads = [
      upload(1, 'done'),
      upload(2, 'waiting'),
      upload(3, 'paused'),
      upload(4, 'active'),
      upload(5, 'done'),
      upload(6, 'failed'),
    ]
    expect(sortUploads(uploads).map(({ id }) => id)).toEqual([6, 4, 3, 2, 5, 1])
  })

  it('renders only the visible ones of ten thousand files', () => {
    const size = { window: 300, row: 50 }
    expect(visibleRows(10_000, { top: 0, ...size })).toEqual({ from: 0, to: 10 })
    expect(visibleRows(10_000, { top: 5000, ...size })).toEqual({ from: 96, to: 110 })
    expect(visibleRows(3, { top: 5000, ...size })).toEqual({ from: 0, to: 3 })
  })

  it('counts the bytes of finished and running uploads, not of cancelled ones', () => {
    const summary = summarise([upload(1, 'done', 100), upload(2, 'active', 40), upload(3, 'cancelled', 10), upload(4, 'failed', 10)])
    expect(summary).toEqual({ count: 4, done: 1, failed: 1, stopped: 2, paused: 0, open: 1, bytes: 200, sent: 140 })
  })

  it('shows the total progress of jobs if all of them report it', () => {
    const going = (done: number, total: number | null) => ({ state: 'running' as const, done, total })
    expect(progressOf([going(10, 100), going(50, 100), { state: 'done', done: 9, total: 9 }])).toBe(0.3)
    expect(progressOf([going(10, 100), going(5, null)])).toBeNull()
    expect(progressOf([])).toBeNull()
  })
})

function upload(id: number, state: UploadState, sent = 0): Upload {
  return { id, path: parseFilePath(`/${id}`), size: 100, operation: null, sent, state, error: null, offline: false }
}
