import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { ConfigError } from '../../config/config-error.ts'
import { BRANDING, DATABASE, MANIFEST, Manifest } from '../../backup/manifest.ts'
import { sha256Of } from '../../backup/write-backup.ts'

/** Unpacks a backup into an empty folder and checks that every part is there and unchanged. Throws `ConfigError`. */
export async function readBackup(file: string, folder: string): Promise<Manifest> {
  if (!existsSync(file)) throw new ConfigError(`there is no file ${file}`)
  const unpacked = extract()
  try {
    await Promise.all([pipeline(createReadStream(file), createGunzip(), unpacked), unpack(unpacked, folder)])
    const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')))
    await checkParts(manifest, folder)
    return manifest
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`${file} is no whole backup of Satchel; nothing was changed`, { cause: error })
  }
}

async function unpack(entries: ReturnType<typeof extract>, folder: string): Promise<void> {
  for await (const entry of entries) {
    const { name, type } = entry.header
    if (type !== 'file' || !isPartName(name)) throw new Error(`${name} does not belong into a backup`)
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    await pipeline(entry, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  }
}

/** A backup may come from anywhere: none of its names may lead out of the folder. */
function isPartName(name: string): boolean {
  if (name === MANIFEST || name === DATABASE) return true
  const segments = name.split('/')
  return name.startsWith(BRANDING) && !segments.some((segment) => segment === '' || segment === '.' || segment === '..')
}

async function checkParts({ parts }: Manifest, folder: string): Promise<void> {
  if (!parts.some(({ name }) => name === DATABASE)) throw new Error('without database')
  for (const { name, sha256 } of parts) {
    if (!isPartName(name) || (await sha256Of(join(folder, name))) !== sha256) throw new Error(`${name} is not as it was`)
  }
}
