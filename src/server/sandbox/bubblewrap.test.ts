import { expect, it } from 'bun:test'
import { createBubblewrap } from './bubblewrap.ts'
import { describeSandbox } from './sandbox.suite.ts'

describeSandbox(() => createBubblewrap())

it('reports why it cannot run, and then runs nothing', async () => {
  const sandbox = createBubblewrap({ program: '/nowhere/bwrap' })
  expect(await sandbox.unavailable()).toContain('not installed')
  await expect(sandbox.run(['/usr/bin/true'])).rejects.toThrow('not installed')
})

it('reports why a bubblewrap that is there cannot run', async () => {
  expect(await createBubblewrap({ program: '/usr/bin/false' }).unavailable()).toBe('/usr/bin/false cannot run: exit code 1')
  // A program that the kernel does not start.
  expect(await createBubblewrap({ program: import.meta.path }).unavailable()).toStartWith(`${import.meta.path} cannot run: `)
})
