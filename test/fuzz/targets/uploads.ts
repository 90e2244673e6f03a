import { timestamp, timestamps } from '../../../src/server/files/timestamp.ts'
import { goMode, isFolderMode, isRegularMode } from '../../../src/server/files/go-mode.ts'
import { chooseCoding } from '../../../src/server/files/encoding.ts'
import { createPeerResolver } from '../../../src/server/peer.ts'
import { secretIn } from '../../../src/server/sessions/token.ts'
import { readHookReply } from '../../../src/server/sessions/hook-reply.ts'
import { modifiedOf, textOf as metadataOf } from '../../../src/server/uploads/upload-metadata.ts'
import { must, type Target, textOf } from '../target.ts'

const RFC_3339 = /^-?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/
const BEFORE = {
  perm: { admin: false, create: false, delete: false, download: true, execute: false, modify: false, rename: false, share: false },
  sorting: { by: 'name', asc: false },
} as const

/** Small things that a client or a program says in a header or a line: metadata of uploads, codings, tokens, replies, times, modes. */
export const target: Target = {
  seeds: [
    'filename YQ==,lastModified MTcwMDAwMDAwMDAwMA==',
    'lastmodified LTYyMTM1NTk2ODAwMDAw, filename ',
    'gzip;q=0.5, zstd;q=1, x-gzip, *;q=0',
    `a.b.${'A'.repeat(43)}`,
    'hook.action=auth\nuser.perm.admin=true\nuser.sorting.by=size\nuser.scope=/x',
    '12345678.9',
    '-62135596800000',
    '::ffff:127.0.0.1',
  ],
  words: [
    'user.viewMode=mosaic',
    'user.perm.share=false',
    'user.commands=',
    'user.locale=',
    'MTcwMDA=',
    '1e21',
    '0.0005',
    '253402300799999',
  ],
  holds(bytes) {
    const text = textOf(bytes)
    const modified = modifiedOf(text)
    must(modified === undefined || Number.isSafeInteger(modified), 'a file is of no time')
    must(modified === undefined || RFC_3339.test(timestamp(modified)), 'a time of an upload cannot be written')
    metadataOf(text, 'filename')

    // As fine as a number of milliseconds is at today's times.
    const number = Math.round(Number(text.slice(0, 24)) * 4096) / 4096
    must(RFC_3339.test(timestamp(number)), 'a time is not written as RFC 3339 has it')
    must(timestamps()(number) === timestamp(number), 'a time of a list is another one')
    const mode = Math.abs(Math.trunc(number)) & 0o177777
    must(Number.isSafeInteger(goMode(mode)) && goMode(mode) >= 0, 'a mode is no number')
    must(isFolderMode(mode) === goMode(mode) >= 2 ** 31 && !(isFolderMode(mode) && isRegularMode(mode)), 'a folder is none')

    must(['zstd', 'gzip', null].includes(chooseCoding(text)), 'a coding is chosen that nobody has')
    const { local } = createPeerResolver([])({ address: () => text, tls: false }, new Headers())
    must(!local || /127\.|::1/.test(text), 'another machine is this one')
    const secret = secretIn(text)
    must(secret === null || /^[\w-]{43}$/.test(secret), 'a secret is none')
    reply(text)
  },
}

function reply(text: string): void {
  const { action, grantedOver } = readHookReply(text)
  must(action === action.trim() && !action.includes('\n'), 'an action is more than a word')
  const granted = grantedOver(BEFORE)
  if (granted.perm?.admin === true) must(/user\.perm\.admin\s*=\s*true/.test(text), 'somebody is an administrator unasked')
  must(
    Object.values(granted).every((value) => value !== undefined),
    'something is said that was not',
  )
}
