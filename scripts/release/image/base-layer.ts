import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { extract, type Header } from 'tar-stream'
import { type Entry, type EntryHeader, folderEntry, type Layer, layerOf, textEntry } from './layer.ts'

/** The account of the server in the image, and of the folders that it writes to. */
export const ACCOUNT = 1000
/** Folders that the server writes to: what it serves, and its own data. */
export const VOLUMES = ['srv', 'data'] as const

/** Nothing in the image reads them. What remains of `usr/share/doc` is who holds the rights. */
const LEFT_OUT =
  /^usr\/share\/(man|locale|info|lintian|bug)\/|^usr\/lib\/[^/]+\/gconv\/|^(etc|var\/(lib\/)?)\/?(update-motd\.d|dpkg\/origins)\//
const DOCUMENTS = /^usr\/share\/doc\/(?!.*copyright$)/
/** busybox is all of these. */
const TOOLS =
  `[ ar ash awk base64 basename bunzip2 bzcat bzip2 cat chgrp chmod chown cksum clear cmp cp cut date dd df diff dirname du echo egrep
env expand expr false fgrep find fold grep groups gunzip gzip head hexdump hostname id install kill less ln ls lsof md5sum mkdir mkfifo mktemp more mv
nice nl nproc nslookup od paste patch pgrep pidof ping printenv printf ps pwd readlink realpath rm rmdir sed seq sh sha1sum sha256sum sha512sum shuf
sleep sort split stat strings stty sync tail tar tee test time timeout top touch tr true truncate tty uname unexpand uniq unxz unzip uptime vi wc
wget which whoami xargs xxd xz xzcat yes zcat`.split(/\s+/)
/** So that scanners find the packages, as in other images without dpkg. */
const STATUS = 'var/lib/dpkg/status.d'

/** The layer with Debian's packages. It depends on nothing else, so it stays the same until a package changes. */
export async function baseLayer(debs: readonly string[]): Promise<Layer> {
  const packages = await Promise.all(debs.map(entriesOf))
  const newest = new Date(Math.max(...packages.flat().map(({ header }) => header.mtime?.getTime() ?? 0)))
  return layerOf('Debian packages', [...packages.flat(), ...debs.map((deb) => statusEntry(deb, newest)), ...ourEntries(newest)])
}

async function entriesOf(deb: string): Promise<Entry[]> {
  const program = spawn('dpkg-deb', ['--fsys-tarfile', deb], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(program, 'exit')
  const files = extract()
  const reading = pipeline(program.stdout, files)
  const entries: Entry[] = []
  for await (const entry of files) {
    const name = entry.header.name.replace(/^\.\/|\/$/g, '')
    const content = await buffer(entry)
    if (name === '' || name === '.' || LEFT_OUT.test(`${name}/`) || (DOCUMENTS.test(name) && entry.header.type !== 'directory')) continue
    entries.push({ header: headerOf(name, entry.header), content: entry.header.type === 'file' ? content : undefined })
  }
  await reading
  const [code] = await ended
  if (code !== 0) throw new Error(`dpkg-deb cannot read ${deb}`)
  return entries
}

/** Without names of users, which mean nothing here. */
function headerOf(name: string, { mode, mtime, uid, gid, type, linkname }: Header): EntryHeader {
  return { name, mode, mtime, uid, gid, type, linkname: type === 'link' ? linkname?.replace(/^\.\//, '') : linkname }
}

function statusEntry(deb: string, mtime: Date): Entry {
  const control = execFileSync('dpkg-deb', ['-f', deb], { encoding: 'utf8' })
  const name = /^Package: (.*)$/m.exec(control)?.[1] ?? ''
  return textEntry(`${STATUS}/${name}`, control, mtime)
}

function ourEntries(mtime: Date): Entry[] {
  const link = (name: string, linkname: string): Entry => ({ header: { name, linkname, mtime, mode: 0o777, type: 'symlink' } })
  return [
    folderEntry('var/lib/dpkg', mtime),
    folderEntry(STATUS, mtime),
    ...TOOLS.map((tool) => link(`usr/bin/${tool}`, 'busybox')),
    textEntry(
      'etc/passwd',
      `root:x:0:0:root:/root:/bin/sh\nsatchel:x:${ACCOUNT}:${ACCOUNT}:Satchel:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n`,
      mtime,
    ),
    textEntry('etc/group', `root:x:0:\nsatchel:x:${ACCOUNT}:\nnogroup:x:65534:\n`, mtime),
    textEntry('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n', mtime),
    ...VOLUMES.map((name) => folderEntry(name, mtime, { uid: ACCOUNT, gid: ACCOUNT, mode: 0o750 })),
  ]
}
