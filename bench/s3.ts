import { join } from 'node:path'
import { joinPath, parseFilePath as at, ROOT } from '../src/shared/file-path.ts'
import { eachOf } from '../src/server/storage/s3/objects.ts'
import { createS3Storage, type S3Storage } from '../src/server/storage/s3/s3.ts'
import { startVersitygw, type Versitygw } from '../tools/s3/versitygw.ts'
import { sized } from './figures.ts'
import { holds, makeFile, median, type Run, runBench, speedOf } from './harness.ts'

/**
 * The S3 storage against versitygw on this machine, and curl with the same service: a large file up and down; a folder of 10,000 objects, listed and
 * renamed.
 */
const BYTES = sized(200e6, 40e6)
const OBJECTS = sized(10_000, 1000)
/** Guards against a slowdown: 0.30 to 0.34 up, 0.54 to 0.77 down were measured. Publishing copies within the service, and curl does not. */
const LEAST_SPEED_RATIO = 0.2
const LARGE = at('/large.bin')

await runBench({ rounds: 5 }, async (run, rounds) => {
  const service = await startVersitygw()
  try {
    return await measure(run, rounds, service)
  } finally {
    await service.stop()
  }
})

async function measure(run: Run, rounds: number, service: Versitygw): Promise<boolean> {
  const storage = createS3Storage({
    endpoint: service.endpoint,
    region: 'us-east-1',
    bucket: 'bucket',
    credentials: { accessKeyId: service.access, secretAccessKey: service.secret },
    folder: join(run.folder, 'tails'),
    server: 'bench',
  })
  const file = join(run.folder, 'large.bin')
  await makeFile(file, BYTES)
  const walls = { up: [] as number[], curlUp: [] as number[], down: [] as number[], curlDown: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    walls.curlUp.push(await secondsOf(() => curl(service, ['-T', file], 'curl.bin')))
    walls.up.push(await secondsOf(() => upload(storage, file)))
    walls.curlDown.push(await secondsOf(() => curl(service, ['-o', '/dev/null'], 'curl.bin')))
    walls.down.push(await secondsOf(() => download(storage)))
  }
  const names = Array.from({ length: OBJECTS }, (_, index) => `file-${index}`)
  await storage.makeFolder(at('/many'))
  const planting = await secondsOf(() => eachOf(names, 16, (name) => plant(storage, name)))
  const listing: number[] = []
  for (let round = 0; round < rounds; round++) listing.push(await secondsOf(() => storage.list(at('/many'))))
  const renaming = await secondsOf(() => storage.move(at('/many'), at('/renamed'), { replace: false }))
  if ((await storage.list(at('/renamed'))).names.length !== OBJECTS) throw new Error('the rename lost objects')
  console.log(`${OBJECTS} small files: written in ${planting.toFixed(1)} s, listed in ${(median(listing) * 1000).toFixed(0)} ms`)
  console.log(`a folder of ${OBJECTS} objects: renamed in ${renaming.toFixed(1)} s`)
  const speeds = (ours: number[], curls: number[]) => ({ ours: speedOf(BYTES, ours), reference: `curl ${speedOf(BYTES, curls)}` })
  return [
    holds(
      'S3 upload, speed × curl',
      median(walls.curlUp) / median(walls.up),
      { atLeast: LEAST_SPEED_RATIO },
      speeds(walls.up, walls.curlUp),
    ),
    holds(
      'S3 download, speed × curl',
      median(walls.curlDown) / median(walls.down),
      { atLeast: LEAST_SPEED_RATIO },
      speeds(walls.down, walls.curlDown),
    ),
  ].every(Boolean)
}

async function upload(storage: S3Storage, file: string): Promise<void> {
  const staged = storage.stage(crypto.randomUUID(), { near: LARGE, isNew: true, announced: BYTES })
  await staged.append(Bun.file(file).stream(), { announced: BYTES, whole: BYTES })
  await staged.commit(LARGE, { replace: true })
}

async function download(storage: S3Storage): Promise<void> {
  using handle = await storage.find(LARGE, { within: ROOT, leaf: 'follow' })
  await using file = await storage.open(handle)
  let bytes = 0
  for await (const chunk of file.stream(0, file.stat.size)) bytes += chunk.length
  if (bytes !== BYTES) throw new Error(`${bytes} bytes came`)
}

async function plant(storage: S3Storage, name: string): Promise<void> {
  const path = joinPath(at('/many'), name)
  const staged = storage.stage(name, { near: path, isNew: true })
  await staged.append(new Uint8Array(100))
  await staged.commit(path, { replace: false })
}

async function curl({ endpoint, access, secret }: Versitygw, options: readonly string[], key: string): Promise<void> {
  const signing = ['--aws-sigv4', 'aws:amz:us-east-1:s3', '--user', `${access}:${secret}`, '-H', 'x-amz-content-sha256: UNSIGNED-PAYLOAD']
  await Bun.$`curl -sf ${signing} ${options} ${endpoint}/bucket/${key}`.quiet()
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}
