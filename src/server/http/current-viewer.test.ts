import { describe, expect, it } from 'bun:test'
import type { Viewer } from '../access/viewer.ts'
import { currentViewer } from './current-viewer.ts'

const ANN = { userId: 1 } as Viewer

describe('whoever takes long to send something', () => {
  it('is asked for again before it gets its place, and is who they are then (I8)', async () => {
    let now = 0
    const later = { userId: 1 } as Viewer
    const ask = currentViewer({ viewer: ANN, reauthenticate: async () => later }, { clock: () => now })
    now = 999
    expect(await ask()).toBe(ANN)
    now = 1000
    expect(await ask()).toBe(later)
  })

  it('is refused when signed out or switched off meanwhile, and asked for without being taken for awake', async () => {
    let now = 0
    const asked: unknown[] = []
    const reauthenticate = async (options?: { passive?: boolean }): Promise<null> => {
      asked.push(options)
      return null
    }
    const ask = currentViewer({ viewer: ANN, reauthenticate }, { clock: () => now })
    now = 5000
    await expect(ask()).rejects.toThrow('sign-in-needed')
    expect(asked).toEqual([{ passive: true }])
  })
})
