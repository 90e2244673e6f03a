import type { Kysely } from 'kysely'
import { isAppError } from '../../shared/errors.ts'
import { encodeFilePath, type FilePath, nameOf, parentOf, pathFrom, ROOT } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { Schema } from '../db/schema.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import type { Drive } from '../drive/drive.ts'
import type { Choices } from '../mail/choices.ts'
import type { MakeNotice } from '../mail/mailer.ts'
import type { Section } from '../mail/message.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { accessOf, type GrantedTo } from '../users/access-of.ts'
import { type Arrival, type Arrivals, MOST_WAITING } from './arrivals.ts'
import { sizeText } from './size-text.ts'

export interface ArrivedNoticeDeps {
  readonly db: Kysely<Schema>
  readonly arrivals: Arrivals
  readonly choices: Pick<Choices, 'of'>
  readonly settings: SettingsReader
  readonly grantedTo: GrantedTo
  readonly driveFor: DriveFor
}

/** In one mail. */
const MOST_SECTIONS = 10
const MOST_NAMES = 20
const MAX_NAME_CHARS = 120

interface Found {
  readonly arrival: Arrival
  /** In the reader's tree. */
  readonly path: FilePath
  readonly size: number
}

/** Which files arrived, as far as their reader may see them when the mail is made. */
export function createArrivedNotice({ db, arrivals, choices, settings, grantedTo, driveFor }: ArrivedNoticeDeps): MakeNotice {
  return async ({ account, site, language, jobId }) => {
    const chosen = await choices.of(account.id)
    const all = await arrivals.claim(account.id, jobId)
    const drive = driveFor(accessOf(account, await settings.read(), await grantedTo(account.id)))
    const wanted = all.filter(({ kind }) => chosen[kind])
    const found = new Map<FilePath, Found>()
    for (const arrival of wanted) {
      const path = pathFrom(cleanScope(account.scope), arrival.place)
      const size = path === null ? null : await sizeOf(drive, path)
      if (path !== null && size !== null) found.set(path, { arrival, path, size })
    }
    const onEnd = () => arrivals.remove(jobId)
    if (found.size === 0) {
      await onEnd()
      return null
    }
    const count = new Intl.NumberFormat(language.tag)
    const isCut = all.length >= MOST_WAITING
    const sections: Section[] = []
    for (const [share, files] of Map.groupBy(found.values(), ({ arrival }) => arrival.share)) {
      const folder = commonFolder(files.map(({ path }) => parentOf(path)))
      const rest = files.length - MOST_NAMES
      sections.push({
        title: (await titleOf(db, share)) || nameOf(folder) || account.username,
        items: files
          .slice(0, MOST_NAMES)
          .map(({ path, size }) => ({ name: cut(nameIn(folder, path)), size: sizeText(size, language.tag) })),
        more: rest > 0 ? `${count.format(rest)}${isCut ? '+' : ''}` : '',
        url: `${site}/files${folder === ROOT ? '' : encodeFilePath(folder)}/`,
      })
    }
    return { sections: sections.slice(0, MOST_SECTIONS), onEnd }
  }
}

/** Bytes of a file that this Drive shows; null for anything else. */
async function sizeOf(drive: Drive, path: FilePath): Promise<number | null> {
  try {
    const { stat, target } = await drive.stat(path)
    return stat.kind === 'file' && (target === null || target === 'inside') ? stat.size : null
  } catch (error) {
    if (isAppError(error, 'not-found') || isAppError(error, 'forbidden')) return null
    throw error
  }
}

/** What the owner calls a link; empty if it has no title or is gone. */
async function titleOf(db: Kysely<Schema>, share: string): Promise<string> {
  return (await db.selectFrom('shares').select('title').where('hash', '=', share).executeTakeFirst())?.title ?? ''
}

/** The folder that has all of them. */
function commonFolder(folders: readonly FilePath[]): FilePath {
  return folders.reduce((common, folder) => {
    let shorter = common
    while (pathFrom(shorter, folder) === null) shorter = parentOf(shorter)
    return shorter
  })
}

function nameIn(folder: FilePath, path: FilePath): string {
  return (pathFrom(folder, path) ?? path).slice(1)
}

/** Both ends of a long name, because the last letters say what kind of file it is. */
function cut(name: string): string {
  const letters = Array.from(name)
  return letters.length <= MAX_NAME_CHARS ? name : `${letters.slice(0, MAX_NAME_CHARS - 21).join('')}…${letters.slice(-20).join('')}`
}
