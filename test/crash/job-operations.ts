import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from '../contract/program.ts'
import { request, type Operation, type Scene } from './operation.ts'
import { branch, onTree } from './tree-operations.ts'
import { plantTree } from './tree.ts'

/** Deeds that go on when their request has ended; acknowledged when they are told to be done. */
export const jobOperations = (): Operation[] => [
  onTree(
    'extract',
    {
      before: { ...branch('here/d'), 'here/x': 'folder' },
      after: { ...branch('here/d'), ...branch('here/x') },
      atOnce: false,
    },
    (to, ask, scene, server) =>
      job(server, { kind: 'extract', path: archiveOf(scene), destination: `/${scene.path('here/x')}` }).then(() => undefined),
    async (scene, server) =>
      job(server, { kind: 'pack', paths: [`/${scene.path('here/d')}`], destination: archiveOf(scene), format: 'zip' }),
  ),
  {
    name: 'compress',
    prepare: async (scene) => plantTree(scene.folders, branch('here/d')),
    act: (scene, server) =>
      job(server, { kind: 'pack', paths: [`/${scene.path('here/d')}`], destination: archiveOf(scene), format: 'zip' }),
    async verify(scene, _, acknowledged) {
      const archive = join(scene.folders.here, '..', archiveOf(scene))
      if (!existsSync(archive)) return acknowledged ? ['acknowledged, and not there'] : []
      const { status, stdout } = spawnSync('unzip', ['-tqq', archive], { encoding: 'utf8' })
      return status === 0 ? [] : [`the archive is not whole: ${stdout}`]
    },
  },
]

function archiveOf({ run }: Scene): string {
  return `/packed-${run}.zip`
}

async function job(server: Program, order: object): Promise<void> {
  const { id } = (await (await request(server, '/api/jobs', { method: 'POST', body: JSON.stringify(order) })).json()) as { id: string }
  for (;;) {
    const jobs = (await (await request(server, '/api/jobs', { method: 'GET' })).json()) as { id: string; state: string }[]
    const state = jobs.find((one) => one.id === id)?.state
    if (state === 'done') return
    if (state === 'failed') throw new Error('the job failed')
    await Bun.sleep(5)
  }
}
