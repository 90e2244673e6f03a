import { chmod, mkdir, mkdtemp, open, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { startProgram } from '../programs/start-program.ts'
import { runHook } from '../sessions/run-hook.ts'
import { createUnsandboxed } from './unsandboxed.ts'
import { createBubblewrap } from './bubblewrap.ts'
import type { Layer } from './launch-steps.ts'
import type { RunOptions, Sandbox } from './sandbox.ts'

setDefaultTimeout(60_000)

/** Says what each of its descriptors is, and nothing of the one it lists them with. */
const LIST = 'cd /proc/self/fd; for n in *; do [ -e /proc/$$/fd/$n ] && echo "fd $n"; done'
/** All that our own programs hold besides: what the runtime waits with. */
const LIST_IN_BUN = `
  import { readdirSync, readlinkSync } from 'node:fs'
  const target = (n) => { try { return readlinkSync('/proc/self/fd/' + n) } catch { return 'anon' } }
  const open = readdirSync('/proc/self/fd').filter((n) => !/^anon/.test(target(n)) && !/proc/.test(target(n)))
  console.log(open.map((n) => 'fd ' + n).join('\\n'))
  process.exit()`

let home = ''
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'layers-'))
  await mkdir(join(home, 'users/ann/secret'), { recursive: true })
  await mkdir(join(home, 'users/bob'))
  await writeFile(join(home, 'users/ann/own.txt'), 'her own')
  await writeFile(join(home, 'users/ann/secret/key.txt'), 'the key')
  await writeFile(join(home, 'users/bob/secret.txt'), 'his secret')
  await writeFile(join(home, 'list.ts'), LIST_IN_BUN)
})
afterAll(() => rm(home, { recursive: true, force: true }))

const scope = (writable = true) => ({ folder: join(home, 'users/ann'), writable, masked: ['secret'] })

describe('A1: no descriptor of the server is inherited', () => {
  const sandbox = createBubblewrap()
  const bare = createUnsandboxed()
  const NONE: Sandbox = { ...bare, unavailable: async () => 'there is none' }
  const list = ['/bin/bash', '-c', LIST]
  const program = () => ({ file: join(home, 'list.ts'), folders: [home], limits: { wallMs: 30_000 } })

  const kinds: Record<string, (input: number) => Promise<string>> = {
    'in a command': async (input) => said(sandbox, list, { scope: scope(), binds: [{ source: input, target: '/in' }] }),
    'in a command that cannot write': async () => said(sandbox, list, { scope: scope(false) }),
    'in a hook': async () => said(sandbox, list, { scope: scope(), cwd: '/files', env: { FILE: '/files/own.txt' } }),
    'in a program that one talks to': async (input) => {
      const running = await sandbox.start(list, { scope: scope(), binds: [{ source: input, target: '/in' }] })
      return text(running.stdout)
    },
    'at a terminal': async () => {
      const terminal = await sandbox.openTerminal?.(list, { scope: scope(), size: { columns: 80, rows: 24 } })
      return text(terminal?.output ?? [])
    },
    'in a program of ours': async (input) => text((await startProgram(sandbox, { ...program(), input })).stdout),
    'in the first process inside': async () =>
      (await said(sandbox, ['/bin/ls', '/proc/1/fd'], { scope: scope() })).replaceAll(/^\d+$/gm, 'fd $&'),
    'in a command without a sandbox': async () => said(bare, list, {}),
    'in a program of ours without a sandbox': async () => text((await startProgram(NONE, program())).stdout),
    'in a program that signs people in': async () => (await runHook(list, { stdin: '', timeoutMs: 30_000, maxOutputBytes: 4096 })).stdout,
  }

  it('except the input of our own programs without a sandbox', async () => {
    await using file = await open(join(home, 'users/ann/own.txt'))
    const { stdout } = await startProgram(NONE, { ...program(), input: file.fd })
    expect((await text(stdout)).match(/fd \d+/g)).toEqual(['fd 0', 'fd 1', 'fd 2', 'fd 3'])
  })

  for (const [kind, listed] of Object.entries(kinds)) {
    it(kind, async () => {
      await using file = await open(join(home, 'users/ann/own.txt'))
      await using folder = await open(join(home, 'users'))
      void folder
      const found = (await listed(file.fd)).match(/fd \d+/g)
      // Bubblewrap's own first process waits with a counter, which is no file.
      expect(found?.slice(0, 3)).toEqual(['fd 0', 'fd 1', 'fd 2'])
      expect(found?.length).toBe(kind === 'in the first process inside' ? 4 : 3)
    })
  }
})

describe("A1: a folder's descriptor that was left open", () => {
  const ways = [3, 4, 5, 6, 7, 8, 9].flatMap((n) => [`/proc/self/fd/${n}/../bob/secret.txt`, `/dev/fd/${n}/../bob/secret.txt`])
  const script = `cat ${ways.join(' ')} 2>/dev/null; for n in 4 5 6 7 8; do echo written > /proc/self/fd/$n/../bob/new.txt; done 2>/dev/null`

  async function attack(...without: Layer[]): Promise<{ read: boolean; written: boolean }> {
    const output = await said(createBubblewrap({ without }), ['/bin/sh', '-c', script], { scope: scope() })
    const written = await Bun.file(join(home, 'users/bob/new.txt')).exists()
    await rm(join(home, 'users/bob/new.txt'), { force: true })
    return { read: output.includes('his secret'), written }
  }

  it('leads out of the sandbox without all layers: the attack is real', async () => {
    expect(await attack('closed-binds', 'closed-descriptors', 'landlock')).toEqual({ read: true, written: true })
  })

  it('leads nowhere with Landlock, with either way of closing descriptors, or all', async () => {
    const cases: Layer[][] = [['closed-binds', 'closed-descriptors'], ['closed-binds', 'landlock'], ['closed-descriptors', 'landlock'], []]
    for (const without of cases) {
      expect([without, await attack(...without)]).toEqual([without, { read: false, written: false }])
    }
  })
})

describe('A9: a program in the sandbox', () => {
  const attempts = {
    'makes no namespaces': ['unshare', '-U', 'true'],
    'makes no namespaces by clone': ['perl', '-e', 'exit(syscall(56, 0x10000000 | 17, 0, 0, 0, 0) < 0 ? 1 : 0)'],
    'makes no namespaces by clone3': ['perl', '-e', 'my $a = pack("Q11", 0x10000000); exit(syscall(435, $a, 88) < 0 ? 1 : 0)'],
    'joins no namespaces': ['nsenter', '-t', '1', '-m', 'true'],
    'mounts nothing': ['perl', '-e', 'my ($s, $at, $t) = ("none", "/tmp", "cgroup2"); exit(syscall(165, $s, $at, $t, 0, 0) < 0 ? 1 : 0)'],
    'opens no file systems': ['perl', '-e', 'my $t = "cgroup2"; exit(syscall(430, $t, 0) < 0 ? 1 : 0)'],
    'traces nobody': ['perl', '-e', 'exit(syscall(101, 16, getppid(), 0, 0) < 0 ? 1 : 0)'],
    'sets no ring up': ['perl', '-e', 'my $p = "\\0" x 120; exit(syscall(425, 8, $p) < 0 ? 1 : 0)'],
    'keeps no keys': ['perl', '-e', 'exit(syscall(250, 0, -3, 0) < 0 ? 1 : 0)'],
    'opens no socket to the host of a virtual machine': ['perl', '-e', 'exit(syscall(41, 40, 1, 0) < 0 ? 1 : 0)'],
    'has no calls of x32': ['perl', '-e', 'exit(syscall(0x40000000 + 39) < 0 ? 1 : 0)'],
  }
  for (const [title, argv] of Object.entries(attempts)) {
    // Numbers of calls are those of x86-64.
    it.if(process.arch === 'x64')(title, async () => {
      expect((await createBubblewrap().run(argv)).exitCode).toBe(1)
    })
  }

  // A user namespace and a mount namespace of its own, and something mounted there.
  const box =
    'my ($s, $at, $t) = ("none", "/tmp", "tmpfs"); print "made " if syscall(272, 0x10020000) == 0; print "mounted" if !syscall(165, $s, $at, $t, 0, 0)'
  const boxed = (...without: Layer[]) => said(createBubblewrap({ without }), ['perl', '-e', box], {})

  it.if(process.arch === 'x64')('could create namespaces without both layers: the attack is real', async () => {
    expect(await boxed('seccomp', 'landlock')).toBe('made mounted')
  })

  it.if(process.arch === 'x64')('creates none with the filter, and mounts nothing with Landlock', async () => {
    expect(await boxed('landlock')).toBe('')
    expect(await boxed('seccomp')).toBe('made ')
    expect(await boxed()).toBe('')
  })
})

describe('A10: setuid and setgid bits', () => {
  const file = () => join(home, 'users/ann/tool')
  const ways = [
    'cp /bin/true tool; chmod 4755 tool',
    'cp /bin/true tool; chmod g+s,u+s tool',
    `perl -e 'use Fcntl; sysopen(my $f, "tool", O_CREAT | O_WRONLY, 04755)'`,
    `perl -e 'my $n = "tool"; syscall(85, $n, 04755)'`,
    `perl -e 'my $n = "tool"; syscall(133, $n, 0106755, 0)'`,
    `perl -e 'my $n = "tool"; open(my $f, ">", $n); syscall(452, -100, $n, 04755, 0)'`,
    `perl -e 'my $n = "tool"; my $how = pack("QQQ", 0101, 06755, 0); syscall(437, -100, $n, $how, 24)'`,
    'cp -p /usr/bin/passwd tool; install -m 4755 /bin/true tool; tar -cf t.tar tool; tar -xpf t.tar',
  ]
  const bits = async (sandbox: Sandbox, script: string): Promise<number> => {
    await rm(file(), { force: true })
    await sandbox.run(['/bin/sh', '-c', `cd /files; umask 0; ${script}`], { scope: scope() })
    return ((await stat(file()).catch(() => null))?.mode ?? 0) & 0o6000
  }

  it.if(process.arch === 'x64')('cannot be set by any system call', async () => {
    const sandbox = createBubblewrap()
    for (const script of ways) expect([script, await bits(sandbox, script)]).toEqual([script, 0])
  })

  it('could be set without the filter: the attack is real', async () => {
    expect(await bits(createBubblewrap({ without: ['seccomp'] }), ways[0] ?? '')).toBe(0o4000)
  })

  it('other modes can be set', async () => {
    const script = 'cd /files; echo x > own.sh; chmod 750 own.sh; mkdir -p made; chmod 1777 made; stat -c %a own.sh made'
    expect(await said(createBubblewrap(), ['/bin/sh', '-c', script], { scope: scope() })).toBe('750\n1777\n')
  })
})

describe('behind both layers, a program', () => {
  const sandbox = createBubblewrap()

  it('can create, move, link and remove its files', async () => {
    const script = 'cd /files; mkdir d; echo x > d/a; mv d/a b; ln b c; ln -s b l; cat l c; mv b d/; rm c l; rm -r d; echo y | tee e; rm e'
    expect(await said(sandbox, ['/bin/sh', '-c', script], { scope: scope() })).toBe('x\nx\ny\n')
  })

  it('is found in PATH, and a script without a shebang is run by the shell', async () => {
    await writeFile(join(home, 'users/ann/script'), 'echo "from a script $1"')
    await chmod(join(home, 'users/ann/script'), 0o755)
    await symlink('script', join(home, 'users/ann/linked'))
    expect(await said(sandbox, ['/files/linked', 'here'], { scope: scope() })).toBe('from a script here\n')
    expect(await said(sandbox, ['echo', 'hi'], {})).toBe('hi\n')
    const { exitCode, stderr } = await sandbox.run(['nowhere-to-be-found'])
    expect([exitCode, Buffer.from(stderr).toString()]).toEqual([127, 'nowhere-to-be-found: No such file, or not executable\n'])
  })

  it('has folders in memory with a limited size, and can write nowhere else', async () => {
    const fill = (path: string): string => `head -c 3000000 /dev/zero > ${path} 2>/dev/null; stat -c %s ${path} 2>/dev/null || echo none`
    const script = ['/tmp/x', '/home/user/x', '/dev/shm/x', '/dev/x', '/x'].map(fill).join('; ')
    const limits = { temporaryBytes: 1024 ** 2 }
    expect(await said(sandbox, ['/bin/sh', '-c', script], { limits })).toBe('1048576\n262144\n262144\nnone\nnone\n')
  })
})

async function said(sandbox: Sandbox, argv: readonly string[], options: RunOptions): Promise<string> {
  return Buffer.from((await sandbox.run(argv, options)).stdout).toString()
}

async function text(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all).toString()
}
