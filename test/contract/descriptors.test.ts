import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'bun:test'
import { onlyInProcess } from './over-http.ts'

/** Descriptors that the server opens for one operation of a user whose scope is two folders deep (B10). Needs Debian's strace. */
describe('B10: a path is walked once', () => {
  let opened: Map<string, string[]>
  beforeAll(async () => {
    opened = await traced()
    for (const [name, paths] of opened) {
      console.log(`${name}: ${paths.length}`)
      if (process.env['SHOW_DESCRIPTORS'] !== undefined) console.log(paths.join('\n'))
    }
  }, 300_000)

  it.each([
    ['opening a folder', 6],
    ['a small upload', 18],
    ['the last tus request', 18],
    ['a rename', 14],
    ['a download', 5],
  ])('%s opens at most %d descriptors', (name, most) => {
    onlyInProcess('calls of the system')
    expect(opened.get(name)?.length ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(most)
  })
})

/** Opened descriptors by operation: the calls that succeeded. */
async function traced(): Promise<Map<string, string[]>> {
  const log = join(await mkdtemp(join(tmpdir(), 'satchel-trace-')), 'log')
  const command = [process.execPath, join(import.meta.dir, 'descriptors.child.ts')]
  const child = Bun.spawn(['strace', '-f', '-qq', '-s', '200', '-e', 'trace=open,openat,openat2', '-o', log, ...command], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`the traced server failed: ${said}`)
  return openedIn(await readFile(log, 'utf8'))
}

/** Memory in use and mount points are read now and then, whatever the operation. */
const BY_TIME = /"\/proc\/self\/(statm|mountinfo)"/

function openedIn(log: string): Map<string, string[]> {
  const all = new Map<string, string[]>()
  let now: string[] | null = null
  /** Threads in whose call another one's came: its line is continued by a second one, without the name. */
  const looking = new Set<string>()
  const isByTime = (line: string): boolean => {
    const [thread = ''] = line.split(' ', 1)
    if (BY_TIME.test(line) && line.includes('<unfinished')) looking.add(thread)
    return BY_TIME.test(line) || (line.includes(' resumed>') && looking.delete(thread))
  }
  for (const line of log.split('\n')) {
    const marked = /no-such-folder\/(begin|end) ([^"]+)"/.exec(line)
    if (marked !== null) {
      const [, what, name = ''] = marked
      now = what === 'begin' ? [] : null
      if (now !== null) all.set(name, now)
    } else if (!isByTime(line) && /\)\s+= \d+$|<\.\.\. open\w* resumed>.*= \d+$/.test(line)) now?.push(line)
  }
  return all
}
