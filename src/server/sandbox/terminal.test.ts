import { mkdir, mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createBubblewrap } from './bubblewrap.ts'
import type { AtTerminal, StartOptions } from './sandbox.ts'

setDefaultTimeout(30_000)

describe('a program at a terminal', () => {
  const sandbox = createBubblewrap()
  let home = ''
  let open: Screen[] = []
  const bash = async (options: StartOptions = {}) => {
    const screen = await watch(await started(['bash', '--norc'], options))
    open.push(screen)
    return screen
  }
  const started = (argv: string[], options: StartOptions = {}) =>
    sandbox.openTerminal?.(argv, { size: { columns: 80, rows: 24 }, env: { TERM: 'xterm-256color', PS1: '> ' }, ...options }) ??
    Promise.reject(new Error('no terminals'))

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'terminal-'))
    await mkdir(join(home, 'ann'))
  })
  afterEach(async () => {
    for (const screen of open) screen.kill()
    await Promise.all(open.map(({ over }) => over))
    open = []
    await rm(home, { recursive: true, force: true })
  })

  it('has job control, Ctrl+C, Ctrl+Z and resizing', async () => {
    const screen = await bash()
    screen.type('stty size; tty -s && echo "a terminal"; echo hi > /dev/tty\r')
    await screen.shows('24 80')
    await screen.shows('a terminal')
    await screen.shows('\nhi')
    screen.resize({ columns: 132, rows: 43 })
    screen.type('stty size\r')
    await screen.shows('43 132')
    screen.type('sleep 1100\r')
    while (count('sleep 1100') === 0) await Bun.sleep(20)
    screen.type('\u0003')
    while (count('sleep 1100') > 0) await Bun.sleep(20)
    screen.type('echo interrupted $?\r')
    await screen.shows('interrupted 130')
    screen.type('sleep 1101\r')
    while (count('sleep 1101') === 0) await Bun.sleep(20)
    screen.type('\u001a')
    await screen.shows('Stopped')
    screen.type('exit 7\rexit 7\r')
    expect(await screen.over).toEqual({ ended: 'exited', exitCode: 7 })
  })

  it('cannot inject input into a terminal, not even its own (TIOCSTI)', async () => {
    const screen = await bash()
    screen.type(
      `perl -e 'my $x = "x"; ioctl(STDIN, 0x5412, $x) or print "re", "fused: $!\\n"'; ls -l /proc/*/fd 2>&1 | grep -c /dev/ptmx\r`,
    )
    await screen.shows('refused: Operation not permitted\r\n')
    await screen.shows('0\r\n')
    screen.type('echo all > /dev/stdout; echo said > /dev/tty\r')
    await screen.shows('all\r\nsaid\r\n')
    screen.type('exit\r')
    expect((await screen.over).ended).toBe('exited')
  })

  it('waits while its output is not read, and then continues', async () => {
    const { output, ended, kill } = await started(['yes'])
    const pieces = output[Symbol.asyncIterator]()
    await pieces.next()
    const before = process.memoryUsage.rss()
    await Bun.sleep(1000)
    // Else it would be hundreds.
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 ** 2)
    let read = 0
    while (read < 4 * 1024 ** 2) read += (await pieces.next()).value?.length ?? 0
    kill()
    while ((await pieces.next()).done !== true);
    expect(await ended).toEqual({ ended: 'aborted', exitCode: null })
  })

  it('is ended with all its children, including stopped and detached ones, and leaves no descriptor open', async () => {
    const mark = `sleep 1102.${Date.now()}`
    const screen = await bash({ limits: { wallMs: 20_000 } })
    screen.type(`setsid ${mark} &\r ${mark} &\r trap '' HUP TERM INT; ${mark}\r`)
    while (count(mark) < 3) await Bun.sleep(20)
    screen.kill()
    expect(await screen.over).toEqual({ ended: 'aborted', exitCode: null })
    while (count(mark) > 0) await Bun.sleep(20)
    while ((await ours()).includes('/dev/ptmx')) await Bun.sleep(20)
  })

  it('receives input that was typed before it reads, up to the terminal’s buffer', async () => {
    const screen = await watch(await started(['sh', '-c', 'sleep 1; stty raw -echo; echo ready; head -c 3']))
    open.push(screen)
    for (let n = 0; n < 64; n++) screen.type('x'.repeat(64 * 1024))
    await screen.shows('ready')
    await screen.over
  })
})

interface Screen extends Pick<AtTerminal, 'resize' | 'kill'> {
  type(text: string): void
  /** Waits until it says so; the runner's own limit ends a wait that never will. */
  shows(text: string): Promise<void>
  readonly over: AtTerminal['ended']
}

async function watch({ type, resize, output, ended, kill }: AtTerminal): Promise<Screen> {
  let said = ''
  const reading = (async () => {
    for await (const bytes of output) said += Buffer.from(bytes).toString()
  })()
  return {
    type: (text) => type(Buffer.from(text)),
    resize,
    kill,
    async shows(text) {
      while (!said.includes(text)) await Bun.sleep(20)
    },
    over: (async () => {
      await reading
      return ended
    })(),
  }
}

function count(command: string): number {
  return Number(Bun.spawnSync(['pgrep', '-fcx', command]).stdout.toString().trim())
}

/** What this process holds open. */
async function ours(): Promise<string[]> {
  return Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
}
