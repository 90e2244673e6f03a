import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile } from '../../scripts/release/executable.ts'
import { HOME } from '../../src/server/entries/entries.ts'

// Each executable is a copy of the runtime.
setDefaultTimeout(120_000)

const work = mkdtempSync(join(tmpdir(), 'satchel-unpacking-'))
const MAIN = 'dist/main.js'
/** Says where it runs and waits for the end of its input if it is told to. */
const PROGRAM = `console.log(import.meta.dir); if (process.argv[2] === 'wait') await Bun.stdin.text()`
/** Of one file in it, so that unpacking takes a moment and does not fit everywhere. */
const LARGE_BYTES = 40 * 1024 ** 2
/** An account that has no name. */
const OTHER = 54321
const [first, second] = [join(work, 'first'), join(work, 'second')]

beforeAll(async () => {
  for (const executable of [first, second]) {
    const folder = `${executable}.tree`
    mkdirSync(join(folder, 'dist'), { recursive: true })
    writeFileSync(join(folder, MAIN), `${PROGRAM} // ${executable}`)
    writeFileSync(join(folder, 'large'), Buffer.alloc(LARGE_BYTES, executable))
    await compile({ folder, runtime: join(HOME, 'node_modules/bun/bin/bun.exe'), main: MAIN, components: [] }, executable, { level: 1 })
  }
}, 120_000)

afterAll(() => rmSync(work, { recursive: true, force: true }))

describe('the executable unpacks itself', () => {
  it('once for each version', async () => {
    const { cache, start } = newPlace()
    const program = await start()
    const before = statSync(program).ctimeMs
    expect([await start(), statSync(program).ctimeMs, readdirSync(cache)]).toEqual([program, before, [nameOf(program)]])
  })

  it('whole when several start at once', async () => {
    const { cache, start } = newPlace()
    const programs = await Promise.all([1, 2, 3, 4].map(() => start()))
    expect([new Set(programs).size, readdirSync(cache)]).toEqual([1, [nameOf(programs[0])]])
  })

  it('again after it was killed, and removes what was left', async () => {
    const { cache, start, spawn } = newPlace()
    const killed = spawn()
    while (!existsSync(cache) || !readdirSync(cache).some((name) => /^[0-9a-f]{32}\./.test(name))) await Bun.sleep(1)
    killed.kill('SIGKILL')
    await killed.exited
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^[0-9a-f]{32}\./)])
    const program = await start()
    expect(readdirSync(cache)).toEqual([nameOf(program)])
  })

  it('again if a file is missing or has another size', async () => {
    const { cache, start } = newPlace()
    const program = await start()
    for (const damage of [
      () => rmSync(join(program, 'large')),
      () => writeFileSync(join(program, MAIN), ''),
      () => rmSync(join(program, '.in-use')),
    ]) {
      damage()
      expect(await start()).toBe(program)
      expect([statSync(join(program, 'large')).size, readdirSync(cache)]).toEqual([LARGE_BYTES, [nameOf(program)]])
    }
  })

  it('and removes other versions, but none that runs', async () => {
    const { cache, start, spawn } = newPlace()
    const old = await start()
    const running = spawn({ args: ['wait'], stdin: 'pipe' })
    await running.stdout.getReader().read()
    const current = await start({ executable: second })
    expect(readdirSync(cache).toSorted()).toEqual([nameOf(old), nameOf(current)].toSorted())
    await running.stdin?.end()
    await running.exited
    rmSync(current, { recursive: true })
    await start({ executable: second })
    expect(readdirSync(cache)).toEqual([nameOf(current)])
  })
})

describe('the executable runs nothing', () => {
  const refused = async (place: Place, problem: string) => {
    const { code, out, complaints } = await place.run({ env: { HOME: '/dev/null', TMPDIR: '/dev/null' } })
    expect([code, out, complaints]).toEqual([1, '', expect.stringContaining(problem)])
  }

  it('from a folder that others can write to', async () => {
    const place = newPlace()
    const program = await place.start()
    chmodSync(program, 0o777)
    await refused(place, `others can write to ${program}`)
    expect(statSync(program).mode & 0o777).toBe(0o777)
  })

  it('from a folder of another account', async () => {
    const place = newPlace()
    await place.start()
    if (process.getuid?.() !== 0) throw new Error('this test gives files away and needs to be root')
    chownSync(place.cache, OTHER, OTHER)
    await refused(place, `${place.cache} belongs to another account (uid ${OTHER})`)
  })

  it('from below a folder in which others can replace it, but from below a sticky one', async () => {
    const place = newPlace()
    await place.start()
    chmodSync(place.home, 0o777)
    await refused(place, `others can write to ${place.home}`)
    chmodSync(place.home, 0o1777)
    expect(await place.start()).toStartWith(place.cache)
  })

  it('from where a link leads if others can write there; other links are fine', async () => {
    const place = newPlace()
    const [open, own] = [join(place.home, 'open'), join(place.home, 'own')]
    for (const [target, mode] of [
      [open, 0o777],
      [own, 0o700],
    ] as const) {
      rmSync(place.cache, { recursive: true, force: true })
      mkdirSync(target)
      chmodSync(target, mode)
      mkdirSync(join(place.home, 'cache'), { recursive: true })
      symlinkSync(target, place.cache)
      if (target === open) await refused(place, `others can write to ${open}`)
      else expect(await place.start()).toStartWith(own)
    }
  })

  it('from below the current folder because a variable is relative', async () => {
    const place = newPlace()
    await place.start({ env: { XDG_CACHE_HOME: 'relative', HOME: 'relative', TMPDIR: place.home } })
    expect(readdirSync(place.home)).toEqual([expect.stringMatching(/^satchel-\d+$/)])
  })
})

describe('the executable says why it cannot unpack itself, and takes the next place', () => {
  for (const [mount, problem] of [
    ['-t tmpfs -o noexec tmpfs', 'its file system is mounted noexec'],
    ['-t tmpfs -o size=1m,mode=755 tmpfs', 'ENOSPC'],
    ['-t tmpfs -o ro,mode=755 tmpfs', 'EROFS'],
  ] as const) {
    it(`where the folder is one of mount ${mount}`, async () => {
      const place = newPlace()
      mkdirSync(join(place.home, 'cache'))
      const env = { HOME: '/dev/null', TMPDIR: '/dev/null' }
      const { code, complaints } = await place.run({ mount: `${mount} ${join(place.home, 'cache')}`, env })
      expect([code, complaints]).toEqual([1, expect.stringContaining(problem)])
      expect(complaints).toContain('there is no folder to unpack the program (41 MB) to; XDG_CACHE_HOME names one')
      const { out } = await place.run({ mount: `${mount} ${join(place.home, 'cache')}` })
      expect(out).toStartWith(join(place.home, '.cache/satchel'))
    })
  }

  it('where there is no home', async () => {
    const place = newPlace()
    const { out } = await place.run({
      mount: '-t tmpfs -o mode=755 tmpfs /var/cache',
      env: { HOME: '', XDG_CACHE_HOME: '', TMPDIR: place.home },
    })
    expect(out).toMatch(/^(\/var\/cache\/satchel|.*\/satchel-\d+)\/[0-9a-f]{32}\/dist\n$/)
  })
})

type Place = ReturnType<typeof newPlace>

interface RunOptions {
  readonly executable?: string
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
  /** Arguments of `mount`, which only this program sees. */
  readonly mount?: string
  readonly stdin?: 'pipe' | 'ignore'
}

function newPlace() {
  const home = mkdtempSync(join(work, 'home-'))

  function spawn({ executable = first, args = [], env = {}, mount, stdin = 'ignore' }: RunOptions = {}) {
    const inside =
      mount === undefined ? [] : ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', `mount ${mount} && exec "$0" "$@"`]
    return Bun.spawn([...inside, executable, ...args], {
      cwd: home,
      env: { PATH: '/usr/bin:/bin', HOME: home, XDG_CACHE_HOME: join(home, 'cache'), ...env },
      stdin,
      stdout: 'pipe',
      stderr: 'pipe',
    })
  }

  async function run(options: RunOptions = {}) {
    const child = spawn(options)
    const [out, complaints, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
    return { code, out, complaints }
  }

  return {
    home,
    cache: join(home, 'cache/satchel'),
    spawn,
    run,
    /** Runs it to its end. @returns the folder of the unpacked program */
    async start(options: RunOptions = {}): Promise<string> {
      const { code, out, complaints } = await run(options)
      expect([code, complaints]).toEqual([0, ''])
      return out.trim().replace(/\/dist$/, '')
    },
  }
}

function nameOf(program = ''): string {
  return program.split('/').at(-1) ?? ''
}
