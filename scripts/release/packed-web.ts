import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKED_LIST, type PackedList } from '../../src/server/http/web-files.ts'

/** What the server reads when it starts; the list of the build for itself is left out. */
const SINGLE = ['index.html', 'sw.js']
const PACKED = /^(assets|img|api)\//

/** Copies a built web into a new folder, with all that is served in one file. The same web gives the same bytes. */
export function packWeb(web: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of SINGLE) writeFileSync(join(folder, name), readFileSync(join(web, name)))
  const contents: Buffer[] = []
  const places: PackedList['places'] = {}
  let end = 0
  for (const name of readdirSync(web, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!PACKED.test(name) || !statSync(join(web, name)).isFile()) continue
    const content = readFileSync(join(web, name))
    places[name] = [end, end + content.length]
    end += content.length
    contents.push(content)
  }
  const packed = Buffer.concat(contents)
  const file = `packed-${createHash('sha256').update(packed).digest('hex').slice(0, 16)}`
  writeFileSync(join(folder, file), packed)
  writeFileSync(join(folder, PACKED_LIST), JSON.stringify({ file, places } satisfies PackedList))
}
