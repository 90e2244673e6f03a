import { createWriteStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { version } from '../../package.json'
import { HOME } from '../../src/server/entries/entries.ts'

const CHART = join(HOME, 'packaging/helm/satchel')

/** Packs the Helm chart. @returns its file name */
export async function makeChart({ out, time }: { out: string; time: Date }): Promise<string> {
  const name = `satchel-${version}-chart.tgz`
  const files = pack()
  const written = pipeline(files, createGzip({ level: 9 }), createWriteStream(join(out, name)))
  for (const path of readdirSync(CHART, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (statSync(join(CHART, path)).isFile())
      files.entry({ name: `satchel/${path}`, mode: 0o644, mtime: time }, readFileSync(join(CHART, path)))
  }
  files.finalize()
  await written
  return name
}
