import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { collectPages } from './site/collect.ts'

const SITE = join(import.meta.dir, '../site')

/** `npm run site`: builds the documentation site into `dist/site`. A link that leads nowhere fails. SITE_BASE: the path it is served at, `/` by default. */
await collectPages(join(SITE, '.pages'))
if (!existsSync(join(SITE, 'node_modules/vitepress'))) run('npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts')
run('node', 'node_modules/vitepress/bin/vitepress.js', 'build')

function run(program: string, ...args: string[]): void {
  const { status } = spawnSync(program, args, { cwd: SITE, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
