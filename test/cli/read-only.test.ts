import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'bun:test'
import { createTestInstall, type TestInstall } from './satchel.ts'

let install: TestInstall
let disk = ''

beforeEach(async () => {
  install = await createTestInstall()
  disk = join(install.home, 'a disk')
  await mkdir(disk)
  await Bun.$`mount -t tmpfs none ${disk} && mkdir ${disk}/data && chmod 700 ${disk}/data && mount -o remount,ro ${disk}`
})

afterEach(async () => {
  await Bun.$`umount -l ${disk}`
})

it('a data folder on a read-only disk: commands and doctor say that the disk is, and not to change owners', async () => {
  const made = await install.satchel(['config', 'init', '--database', 'a disk/data/satchel.db'])
  expect([made.code, made.complaints]).toEqual([
    1,
    expect.stringContaining('(EROFS): its disk is read-only; mount it writable, or name another'),
  ])
  const { out } = await install.satchel(['doctor', '--root', 'files', '--data', 'a disk/data'])
  expect(out).toContain('/a disk/data cannot be written by this account (uid 0)\n    → its disk is read-only: mount it writable\n')
  const served = await install.satchel(['doctor', '--root', disk])
  expect(served.out).toContain('people look and take only\n    → its disk is read-only: mount it writable if they shall upload too\n')
})

it('a data folder that others can write to: the command to copy names it as one word', async () => {
  await Bun.$`mkdir ${install.home}/${'my data'} && chmod 777 ${install.home}/${'my data'}`
  const { out } = await install.satchel(['doctor', '--root', 'files', '--data', 'my data'])
  expect(out).toContain(`→ chmod go-w '${install.home}/my data'\n`)
})
