import { expect, it } from 'bun:test'
import { createBubblewrap } from './bubblewrap.ts'
import { describeSandbox } from './sandbox.suite.ts'

describeSandbox(() => createBubblewrap())

it('reports why it cannot run, and then runs nothing', async () => {
  const sandbox = createBubblewrap({ program: '/nowhere/bwrap' })
  expect(await sandbox.unavailable()).toContain('not installed')
  await expect(sandbox.run(['/usr/bin/true'])).rejects.toThrow('not installed')
})
