import { copyFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { sized } from './figures.ts'
import { holds, median, runBench, startServer } from './harness.ts'

/** Thumbnails of photos nobody has looked at yet, against the same library called for the same files without a server around it. */
const ROUNDS = 3
const PHOTOS = Number(process.env['PHOTOS'] ?? sized(2000, 24))
const DIFFERENT = 6
const LEAST_RATIO = 0.7
/** As many as a browser asks for at the same time. */
const ASKED_AT_ONCE = 6

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const folder = join(server.root, 'photos')
  mkdirSync(folder)
  const photos = Array.from({ length: PHOTOS }, (_, i) => join(folder, `${i}.jpg`))
  for (let i = 0; i < DIFFERENT; i++) writeFileSync(join(run.folder, `${i}.jpg`), await photo(i))
  for (const [i, path] of photos.entries()) copyFileSync(join(run.folder, `${i % DIFFERENT}.jpg`), path)

  const ratios: number[] = []
  const speeds = { ours: [] as number[], alone: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const alone = await perSecond(photos, availableParallelism(), (path) => thumbnailAlone(path))
    // Another time is another version: nothing that was kept fits.
    for (const path of photos) utimesSync(path, 1.7e9, 1.7e9 + round)
    const served = await perSecond(photos, ASKED_AT_ONCE, async (path) => {
      const response = await fetch(`${server.url}/api/preview/thumb/photos/${path.slice(folder.length + 1)}`, { headers: server.headers })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      await response.arrayBuffer()
    })
    const kept = await perSecond(photos, ASKED_AT_ONCE, async (path) => {
      const url = `${server.url}/api/preview/thumb/photos/${path.slice(folder.length + 1)}`
      await (await fetch(url, { headers: server.headers })).arrayBuffer()
    })
    console.log(`thumbnails a second: ${alone.toFixed(1)} alone, ${served.toFixed(1)} served, ${kept.toFixed(0)} kept ones`)
    ratios.push(served / alone)
    speeds.ours.push(served)
    speeds.alone.push(alone)
  }
  await server.stop()
  const seen = { ours: `${median(speeds.ours).toFixed(1)} a second`, reference: `sharp ${median(speeds.alone).toFixed(1)} a second` }
  return holds('speed × the library alone', median(ratios), { atLeast: LEAST_RATIO }, seen)
})

/** 12 megapixels of something between a wall and a meadow; about 4 MB. */
async function photo(seed: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 110 + seed * 5, sigma: 30 } as const
  const grain = sharp({ create: { width: 2000, height: 1500, channels: 3, background: 'gray', noise } })
  return sharp(await grain.png({ compressionLevel: 0 }).toBuffer())
    .resize(4000, 3000)
    .jpeg({ quality: 88 })
    .toBuffer()
}

async function thumbnailAlone(path: string): Promise<void> {
  await sharp(path, { sequentialRead: true, failOn: 'none' })
    .autoOrient()
    .resize(256, 256, { fit: 'cover' })
    .jpeg({ quality: 80 })
    .toBuffer()
}

async function perSecond(paths: readonly string[], atOnce: number, work: (path: string) => Promise<void>): Promise<number> {
  sharp.concurrency(1)
  sharp.cache(false)
  const queue = paths.values()
  const start = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const path of queue) await work(path)
    }),
  )
  return (paths.length * 1000) / (performance.now() - start)
}
