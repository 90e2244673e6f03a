import { type FilePath, pathFrom } from '../../../shared/file-path.ts'
import { MAX_SHARE_MESSAGE_CHARS, MAX_SHARE_TITLE_CHARS } from '../../../shared/limits.ts'
import type { Source } from './quantum-config.ts'
import { textOf } from './quantum-records.ts'
import { pathOf } from './quantum-rules.ts'
import type { LeftOut, OldLink } from './old-database.ts'

type Fields = Readonly<Record<string, unknown>>

/** An account that is moved, as its links need it. */
export interface LinkOwner {
  readonly id: number
  readonly username: string
  readonly scope: FilePath
}

/** Options of a link that nothing here corresponds to, and that do not matter for what it opens. */
const CHANGES = ['allowCreate', 'allowModify', 'allowDelete'] as const

/** @param owners by the id that they had */
export function quantumLinks(
  stored: readonly Fields[],
  { source, owners }: { source: Source; owners: ReadonlyMap<string, LinkOwner> },
): { links: OldLink[]; leftOut: LeftOut[]; notes: string[] } {
  const links: OldLink[] = []
  const leftOut: LeftOut[] = []
  const notes = new Map<string, number>()
  for (const share of stored) {
    const owner = owners.get(String(share.userID))
    const read = owner === undefined ? 'its owner has no account here' : readLink(share, { owner, source })
    if (typeof read === 'string')
      leftOut.push({ hash: textOf(share.hash), path: textOf(share.path), owner: owner?.username ?? '', reason: read })
    else {
      links.push(read.link)
      for (const note of read.notes) notes.set(note, (notes.get(note) ?? 0) + 1)
    }
  }
  return { links, leftOut, notes: [...notes].map(([note, count]) => `${count} ${count === 1 ? 'link' : 'links'}: ${note}`) }
}

/** The link, or why it cannot exist here. */
function readLink(share: Fields, { owner, source }: { owner: LinkOwner; source: Source }): { link: OldLink; notes: string[] } | string {
  const from = textOf(share.source)
  if (from !== '' && from !== source.path && from !== source.name) return `it leads to the source ${from}, which is not served here`
  // Everybody with the address could open it here.
  if (share.disableAnonymous === true || (Array.isArray(share.allowedUsernames) && share.allowedUsernames.length > 0))
    return 'only people with an account could open it'
  const path = pathFrom(owner.scope, pathOf(textOf(share.path)))
  if (path === null) return 'what it leads to is outside the folder of its owner'
  const limit = Number(share.downloadsLimit ?? 0)
  const left = limit - Number(share.downloads ?? 0)
  if (limit > 0 && left <= 0) return 'its downloads are used up'
  const allowed = CHANGES.filter((name) => share[name] === true)
  const isDrop = share.shareType === 'upload'
  const rights = isDrop ? 'drop' : share.disableDownload === true ? 'view' : allowed.length === CHANGES.length ? 'edit' : 'download'
  const notes = [
    ...(!isDrop && rights !== 'edit' && allowed.length > 0
      ? ['visitors could make some changes; here they can make all or none, now none']
      : []),
    ...(limit > 0 && share.perUserDownloadLimit === true ? ['the limit of downloads was for each person and is now for all together'] : []),
    ...(Number(share.maxBandwidth ?? 0) > 0 ? ['there is no limit of speed any more'] : []),
  ]
  const passwordHash = textOf(share.password_hash)
  return {
    link: {
      hash: textOf(share.hash),
      path,
      userId: owner.id,
      expire: Number(share.expire ?? 0),
      passwordHash,
      token: passwordHash === '' ? '' : textOf(share.token),
      terms: {
        rights,
        maxDownloads: limit > 0 ? left : 0,
        title: textOf(share.title).slice(0, MAX_SHARE_TITLE_CHARS),
        message: textOf(share.description).slice(0, MAX_SHARE_MESSAGE_CHARS),
      },
    },
    notes,
  }
}
