import { expect, it } from 'bun:test'
import { runNodes } from '../../tools/nodes/run.ts'

/** The small form of `npm run nodes`. */
export function describeNodes(): void {
  it('three servers of which one is killed again and again lose no acknowledged byte, hold up nobody, and keep limits exactly', async () => {
    const plan = { seconds: 30, clients: 10, nodes: 3, killEveryMs: 10_000, downMs: 3000, pauseMs: 700, log: () => undefined }
    const { violations, kills, files, counts } = await runNodes(plan)
    expect(violations).toEqual([])
    expect(kills).toBeGreaterThanOrEqual(2)
    expect(files).toBeGreaterThan(10)
    expect(counts.get('limited link') ?? 0).toBeGreaterThan(1)
  }, 300_000)
}
