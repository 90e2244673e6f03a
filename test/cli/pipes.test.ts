import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { until } from '../../tools/switch/proxy.ts'
import { createTestInstall } from './satchel.ts'

setDefaultTimeout(60_000)

describe('a program whose output nobody reads any more', () => {
  it('ends quietly with its usual exit status, if it is a command', async () => {
    const install = await createTestInstall()
    await install.satchel(['config', 'init'])
    for (const [args, code] of [
      [['config', 'cat'], 0],
      [['completion', 'bash'], 0],
      [['doctor'], 0],
      [['--help'], 0],
      [['users', 'find', 'nobody'], 1],
    ] as const) {
      const child = Bun.spawn(['bash', '-c', '"$@" | true; exit ${PIPESTATUS[0]}', 'bash', ...install.program, ...args], {
        cwd: install.home,
        env: { PATH: process.env.PATH ?? '', HOME: install.home },
        stderr: 'pipe',
      })
      const complaints = await new Response(child.stderr).text()
      expect([args, await child.exited, complaints]).toEqual([args, code, code === 0 ? '' : expect.stringMatching(/^satchel: .*\n$/)])
    }
  })

  it('serves on without a stack trace, if it is the server', async () => {
    const install = await createTestInstall()
    const child = Bun.spawn([...install.program, '--port', '0', '--logAll'], {
      cwd: install.home,
      env: { PATH: process.env.PATH ?? '', HOME: install.home },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    try {
      const output = child.stdout.getReader()
      let said = ''
      await until(async () => {
        said += new TextDecoder().decode((await output.read()).value)
        return / at http:\S+\//.test(said)
      })
      await output.cancel()
      const url = / at (http:\S+\/)/.exec(said)?.[1] ?? ''
      for (let request = 0; request < 5; request += 1) {
        expect((await fetch(`${url}health`)).status).toBe(200)
        await Bun.sleep(50)
      }
      child.kill('SIGTERM')
      expect(await new Response(child.stderr).text()).not.toContain('EPIPE')
    } finally {
      child.kill('SIGKILL')
    }
  })
})
