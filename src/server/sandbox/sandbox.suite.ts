import { mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { RunOptions, Sandbox } from './sandbox.ts'

setDefaultTimeout(60_000)

/** What every sandbox owes: a program gets what it is given, and nothing else. */
export function describeSandbox(create: () => Sandbox): void {
  describe('a sandboxed program', () => {
    const sandbox = create()
    let home = ''
    const scope = (writable = false, masked: string[] = []) => ({ folder: join(home, 'ann'), writable, masked })
    const sh = (script: string, options?: RunOptions) => sandbox.run(['/bin/sh', '-c', script], options)
    const said = async (script: string, options?: RunOptions) => text((await sh(script, options)).stdout)

    beforeEach(async () => {
      home = await mkdtemp(join(tmpdir(), 'sandbox-'))
      await mkdir(join(home, 'ann/secret'), { recursive: true })
      await mkdir(join(home, 'bob'))
      await writeFile(join(home, 'satchel.db'), 'the database')
      await writeFile(join(home, 'ann/own.txt'), 'her own')
      await writeFile(join(home, 'ann/secret/key.txt'), 'the key')
      await writeFile(join(home, 'bob/his.txt'), 'his own')
    })
    afterEach(async () => {
      // A cover's permissions may have been copied with it.
      Bun.spawnSync(['chmod', '-R', 'u+rwX', home])
      await rm(home, { recursive: true, force: true })
    })

    it('can run here', async () => {
      expect(await sandbox.unavailable()).toBeNull()
    })

    it('gets input and returns its output with its exit code', async () => {
      const heard: string[] = []
      const outcome = await sh('cat; echo no >&2; exit 3', {
        stdin: 'hello',
        onOutput: (from, bytes) => heard.push(`${from} ${text(bytes)}`),
      })
      expect({ ...outcome, stdout: text(outcome.stdout), stderr: text(outcome.stderr) }).toEqual({
        ended: 'exited',
        exitCode: 3,
        stdout: 'hello',
        stderr: 'no\n',
      })
      expect(heard.toSorted()).toEqual(['stderr no\n', 'stdout hello'])
    })

    it('receives its arguments unchanged (GHSA-jvpw-637p-h3pw)', async () => {
      const hostile = ['$(id)', '; rm -rf /', '-rf', 'a\nb', '"', "'", '*']
      const { stdout } = await sandbox.run(['/usr/bin/printf', '%s|', ...hostile])
      expect(text(stdout)).toBe(`${hostile.join('|')}|`)
    })

    it('sees its scope, but neither its neighbours nor the database', async () => {
      expect(await said(`cat /files/own.txt; cat ${home}/satchel.db ${home}/bob/his.txt; ls /files/..`, { scope: scope() })).not.toMatch(
        /database|his own|root|srv/,
      )
      expect(await said('cat /files/own.txt', { scope: scope() })).toBe('her own')
    })

    it('writes only where it may', async () => {
      await sh('echo x > /files/new.txt; echo x > /usr/new.txt; echo x > /new.txt', { scope: scope() })
      expect(await Bun.file(join(home, 'ann/new.txt')).exists()).toBe(false)
      expect(await Bun.file('/usr/new.txt').exists()).toBe(false)
      await sh('echo written > /files/new.txt', { scope: scope(true) })
      expect(await readFile(join(home, 'ann/new.txt'), 'utf8')).toBe('written\n')
    })

    it('finds masked paths empty and inaccessible; they are unchanged', async () => {
      const options = { scope: scope(true, ['secret', 'own.txt', 'not there']) }
      expect(
        await said(
          'cat /files/secret/key.txt /files/own.txt; ls /files/secret; echo x > /files/secret/y; echo x > /files/own.txt',
          options,
        ),
      ).toBe('')
      expect(await readFile(join(home, 'ann/secret/key.txt'), 'utf8')).toBe('the key')
      expect(await readFile(join(home, 'ann/own.txt'), 'utf8')).toBe('her own')
      expect(await Bun.file(join(home, 'ann/secret/y')).exists()).toBe(false)
    })

    it('A11: cannot access masked paths whose names are not UTF-8', async () => {
      const name = (bytes: string): Buffer => Buffer.from(join(home, 'ann', bytes), 'latin1')
      await mkdir(name('caf\u00e9'))
      await writeFile(name('caf\u00e9/inner.txt'), 'the key')
      await writeFile(name('na\u00efve.key'), 'the key')
      const options = { scope: scope(true, ['caf\udce9', 'na\udcefve.key']) }
      expect(await said('cat /files/*/inner.txt /files/*.key; mv /files/caf* /files/moved; cat /files/moved/inner.txt', options)).toBe('')
      // They can be read where nothing closes them.
      expect(await said('cat /files/*.key', { scope: scope() })).toBe('the key')
    })

    it('cannot move masked paths or their parents away from the mask', async () => {
      await mkdir(join(home, 'ann/deep/er/hidden'), { recursive: true })
      await writeFile(join(home, 'ann/deep/er/hidden/key.txt'), 'the key')
      const options = { scope: scope(true, ['deep/er/hidden', 'deep/er/hidden/key.txt', 'secret']) }
      const moves = 'mv secret elsewhere; mv deep elsewhere; mv deep/er elsewhere; mv deep/er/hidden elsewhere; rm -rf deep secret'
      expect(
        await said(`cd /files; (${moves}) 2>/dev/null; echo free > deep/er/free.txt; cat deep/er/free.txt; find . -name 'key*'`, options),
      ).toBe('free\n')
      expect(await readFile(join(home, 'ann/deep/er/hidden/key.txt'), 'utf8')).toBe('the key')
    })

    it('is not started in a scope whose path has become a link', async () => {
      await rm(join(home, 'ann'), { recursive: true })
      await symlink(join(home, 'bob'), join(home, 'ann'))
      await expect(sh('cat /files/his.txt', { scope: scope() })).rejects.toThrow()
      await mkdir(join(home, 'bob/in'))
      await expect(sh('ls /files', { scope: { ...scope(), folder: join(home, 'ann/in') } })).rejects.toThrow()
    })

    it('can open a file by descriptor, whatever its name', async () => {
      const path = join(home, '--x $(id)\n.txt')
      await writeFile(path, 'the right one')
      await using file = await open(path)
      expect(await said('cat /in; echo x > /in', { binds: [{ source: file.fd, target: '/in' }] })).toBe('the right one')
      expect(await readFile(path, 'utf8')).toBe('the right one')
    })

    it('does not start with another file than the open one', async () => {
      const path = join(home, 'swapped.txt')
      await writeFile(path, 'the right one')
      await using file = await open(path)
      await rm(path)
      await writeFile(path, 'another')
      const outcome = await sh('cat /in', { binds: [{ source: file.fd, target: '/in' }] })
      expect([text(outcome.stdout), outcome.exitCode === 0]).toEqual(['', false])
    })

    it('does not see the server’s environment, not even through /proc', async () => {
      process.env['SANDBOX_TEST_SECRET'] = 'do-not-tell'
      try {
        const found = await said('env; cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"', { env: { GIVEN: 'yes' }, scope: scope() })
        expect(found).toContain('GIVEN=yes')
        expect(found).not.toContain('do-not-tell')
        expect(found).not.toContain(home)
      } finally {
        delete process.env['SANDBOX_TEST_SECRET']
      }
    })

    it('has no network', async () => {
      using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('reached') })
      const script = `exec 3<>/dev/tcp/127.0.0.1/${server.port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`
      const { stdout, exitCode } = await sandbox.run(['/bin/bash', '-c', script])
      expect([text(stdout), exitCode]).toEqual(['', 1])
    })

    it('has no privileges, and cannot gain any', async () => {
      expect(await said('id -u; grep -h CapEff /proc/self/status; grep NoNewPrivs /proc/self/status')).toBe(
        '65534\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n',
      )
      expect((await sh('mount -t tmpfs x /tmp')).exitCode).not.toBe(0)
      expect(await said('cp /bin/sh /tmp/sh; chmod u+s /tmp/sh; /tmp/sh -p -c "id -u"')).toBe('65534\n')
    })

    it('cannot change kernel settings, even if the server runs as root', async () => {
      const settings = ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname', '/proc/sysrq-trigger', '/proc/self/oom_score_adj']
      // Opened for writing, and nothing written.
      expect(await said(settings.map((path) => `(: >> ${path}) 2>/dev/null && echo ${path}`).join('; '))).toBe('')
    })

    it('sees only its own processes', async () => {
      expect(await said('for p in /proc/[0-9]*; do cat $p/comm; done')).not.toContain('bun')
    })

    it('is ended with its children when it takes too long', async () => {
      const mark = `sleep 600.${Date.now()}`
      const { ended, exitCode } = await sh(`setsid ${mark} & ${mark}`, { limits: { wallMs: 300 } })
      expect([ended, exitCode]).toEqual(['too-long', null])
      expect(await gone(mark)).toBe(true)
    })

    it('is ended with its children when it is aborted', async () => {
      const mark = `sleep 601.${Date.now()}`
      const abort = new AbortController()
      const outcome = await sh(`${mark} & echo up; ${mark}`, { signal: abort.signal, onOutput: () => abort.abort() })
      expect(outcome.ended).toBe('aborted')
      expect(await gone(mark)).toBe(true)
    })

    it('is ended when it is aborted before it runs', async () => {
      const mark = `sleep 602.${Date.now()}`
      for (let tenths = 0; tenths < 60; tenths += 1) {
        const abort = new AbortController()
        const outcome = sh(mark, { signal: abort.signal })
        await Bun.sleep(tenths / 10)
        abort.abort()
        expect((await outcome.catch(() => null))?.ended ?? 'aborted').toBe('aborted')
      }
      expect(await gone(mark)).toBe(true)
    })

    it('is ended when it writes too much output', async () => {
      const { ended, stdout } = await sh('yes', { limits: { outputBytes: 100_000 } })
      expect([ended, stdout.length]).toEqual(['too-much-output', 100_000])
    })

    // Doubling like a fork bomb, but with an end: should the sandbox fail, the machine goes on.
    it('is ended when it starts too many processes', async () => {
      const { ended, exitCode } = await sandbox.run(
        ['/bin/bash', '-c', 'grow() { if [ $1 -gt 0 ]; then grow $(($1-1)) & grow $(($1-1)) & wait; else sleep 5; fi; }; grow 9'],
        {
          limits: { processes: 20, wallMs: 20_000 },
        },
      )
      expect(ended === 'too-many-processes' || exitCode !== 0).toBe(true)
      expect(ended).not.toBe('too-long')
    })

    it('has limited memory and file size', async () => {
      expect(
        (await sh('x=$(head -c 300000000 /dev/zero | tr "\\0" x); echo ${#x}', { limits: { memoryBytes: 100_000_000 } })).exitCode,
      ).not.toBe(0)
      await sh('head -c 2000000 /dev/zero > /files/big', { scope: scope(true), limits: { fileSizeBytes: 1_000_000 } })
      expect(Bun.file(join(home, 'ann/big')).size).toBe(1_000_000)
    })
  })
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString()
}

/** Whether no process has this command line any more; the kernel may need a moment. */
async function gone(commandLine: string): Promise<boolean> {
  for (let round = 0; round < 200; round++) {
    const { stdout } = Bun.spawnSync(['pgrep', '-f', '-x', commandLine])
    if (stdout.length === 0) return true
    await Bun.sleep(10)
  }
  return false
}
