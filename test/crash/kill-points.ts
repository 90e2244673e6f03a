import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * System calls that change something that outlives the process. Between two of them the disk does not change, so that being killed before each
 * is being killed at every moment that differs. A file that is opened to be made is empty until one of these.
 */
const CHANGES =
  'write writev pwrite64 pwritev pwritev2 copy_file_range sendfile ftruncate fallocate ioctl fsync fdatasync rename renameat renameat2 ' +
  'link linkat symlink symlinkat unlink unlinkat mkdir mkdirat rmdir chmod fchmod fchmodat fchown fchownat utimensat'
const WATCHED = `trace=${CHANGES.replaceAll(' ', ',')}`

/** A program that is not done by then never will be. */
const LONGEST_RUN_MS = 300_000

/** Before the `nth` call of this name by any one thread. */
export interface KillPoint {
  readonly call: string
  readonly nth: number
}

/** Watches every thread of a process while `operation` runs. @returns each point at which it could be killed then */
export async function killPointsOf(pid: number, operation: () => Promise<unknown>): Promise<KillPoint[]> {
  return listed(async (list) => {
    const tracer = await attached(pid, ['-o', list, '-e', WATCHED])
    // The programs that it starts have processes of their own and are killed with it. A thread that ends when it is idle counts too.
    const threads = new Set<string>()
    const look = () => {
      for (const thread of readdirSync(`/proc/${pid}/task`)) threads.add(thread)
    }
    look()
    const looking = setInterval(look, 10)
    await operation()
    clearInterval(looking)
    look()
    tracer.kill('SIGINT')
    await tracer.exited
    return (thread) => threads.has(thread)
  })
}

/** The same of a program from its start to its end. */
export async function killPointsOfRun(command: readonly string[], input: RunOptions = {}): Promise<KillPoint[]> {
  return listed(async (list) => {
    await run(['strace', '-f', '-o', list, '-e', WATCHED, ...command], input)
    return () => true
  })
}

/**
 * From now on the process is killed when it comes to this point.
 * @param options.longestMs then it is let go: the tracer sometimes holds a process back that starts another one
 * @returns what lets go of it
 */
export async function armed(pid: number, point: KillPoint, { longestMs = Infinity } = {}): Promise<() => Promise<void>> {
  const tracer = await attached(pid, ['-o', '/dev/null', ...injection(point)])
  const end = performance.now() + longestMs
  // Of a process with threads the tracer sometimes holds one back for ever, and its sockets with it.
  const watch = setInterval(() => (isAlive(pid) && performance.now() < end) || tracer.kill('SIGKILL'), 100)
  return async () => {
    clearInterval(watch)
    tracer.kill(isAlive(pid) ? 'SIGINT' : 'SIGKILL')
    await tracer.exited
  }
}

/** Waits for a process that may be about to end: its connections are closed before it is dead. @returns whether it still runs */
export async function survives(pid: number, { ms }: { ms: number }): Promise<boolean> {
  const end = Date.now() + ms
  while (isAlive(pid) && Date.now() < end) await Bun.sleep(10)
  return isAlive(pid)
}

/** A process that was killed and not yet waited for is there, but dead. */
export function isAlive(pid: number): boolean {
  try {
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')[0] ?? 'X'
    return !'ZX'.includes(state)
  } catch {
    return false
  }
}

export interface RunOptions {
  /** The program is done when it has said this; it is then killed. Else it is done when it ends. */
  readonly until?: string
  /** It is done so much later, in milliseconds: what it does meanwhile counts too. */
  readonly lingerMs?: number
}

/** Runs a program that is killed at this point. @returns whether it was done before */
export async function runArmed(command: readonly string[], point: KillPoint, options: RunOptions = {}): Promise<boolean> {
  return run(['strace', '-f', '-o', '/dev/null', ...injection(point), ...command], options)
}

function injection({ call, nth }: KillPoint): string[] {
  return ['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${nth}`]
}

async function attached(pid: number, options: readonly string[]) {
  const tracer = Bun.spawn(['strace', '-f', '-p', String(pid), ...options], { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const reader = tracer.stderr.getReader()
  const decoder = new TextDecoder()
  // It may kill the process before it says that it watches, and would then wait for its threads for ever.
  const watch = setInterval(() => isAlive(pid) || tracer.kill('SIGKILL'), 100)
  try {
    for (let said = ''; !said.includes('attached');) {
      const { done, value } = await reader.read()
      if (done && !isAlive(pid)) break
      if (done) throw new Error(`strace cannot watch the program: ${said}`)
      said += decoder.decode(value, { stream: true })
    }
  } finally {
    clearInterval(watch)
  }
  // Unread, a full pipe would stop it in the middle.
  void drain(reader)
  return tracer
}

async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}

async function run(command: readonly string[], { until, lingerMs = 0 }: RunOptions): Promise<boolean> {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore', detached: true })
  const late = setTimeout(() => killGroup(child.pid), LONGEST_RUN_MS)
  let said = ''
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += piece
    if (until !== undefined && said.includes(until)) break
  }
  const ended = child.exited.then(() => true)
  const isDone = until !== undefined && said.includes(until) && !(await Promise.race([ended, Bun.sleep(lingerMs).then(() => false)]))
  if (isDone) killGroup(child.pid)
  const status = await child.exited
  clearTimeout(late)
  return until === undefined ? status === 0 : isDone
}

/** The tracer is the leader of its group, and what it started is in it. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

/** @param watch fills a list of calls, and tells whose threads count */
async function listed(watch: (list: string) => Promise<(thread: string) => boolean>): Promise<KillPoint[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kill-points-'))
  try {
    const list = join(folder, 'calls')
    const counts = await watch(list)
    return pointsIn(readFileSync(list, 'utf8'), counts)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** How one thread wakes another up; nothing outlives it. */
const WAKING = /write\(\d+, "(\\1|\\0)(\\0){7}", 8/

/** The tracer counts for each thread by itself. */
function pointsIn(list: string, isOurs: (thread: string) => boolean): KillPoint[] {
  const counts = new Map<string, number>()
  const points = new Map<string, KillPoint>()
  for (const [line, thread = '', call = ''] of list.matchAll(/^(\d+) +(\w+)\(.*$/gm)) {
    if (!isOurs(thread)) continue
    const nth = (counts.get(`${thread} ${call}`) ?? 0) + 1
    counts.set(`${thread} ${call}`, nth)
    if (!WAKING.test(line)) points.set(`${call} ${nth}`, { call, nth })
  }
  return [...points.values()]
}
