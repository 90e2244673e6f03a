import { basename, join, resolve } from 'node:path'
import { version } from '../../package.json'
import { createApp } from './app.ts'
import { createMemoryBus } from './bus/memory.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import { mountPage } from './http/page.ts'
import { mountStatic } from './http/static.ts'
import type { ComposeOptions, World as Served } from './serve.ts'
import { pageConfig } from './settings/page-config.ts'
import { saveSetting } from './settings/store.ts'
import { createLocalStorage } from './storage/local.ts'
import { ensureAdmin } from './users/first-admin.ts'
import { createWorld } from './world.ts'

const WEB_DIR = resolve(import.meta.dir, '../../dist/web')
/** Soon after a start too: it takes two looks to tell what was left lying from what is at work. */
const FIRST_TIDY_MS = 60_000
const TIDY_EVERY_MS = 10 * 60_000

/** From a configuration to the running product: the only place that names an adapter. */
export async function compose(config: Config, { log, password }: ComposeOptions): Promise<Served> {
  const clock = (): Date => new Date()
  const db = await openDatabase({ file: config.database }, { clock })
  const storage = createLocalStorage(config.root)
  const world = createWorld(
    { storage, db, bus: createMemoryBus(), clock, log },
    {
      baseUrl: config.baseURL,
      typeDetectionByHeader: !config.disableTypeDetectionByHeader,
      sessionLifetimeMs: config.tokenExpirationTime,
      rootName: basename(config.root),
    },
  )
  const { users, settings } = world
  const branding = async (): Promise<string | null> => (await settings.read()).branding.files || null

  const app = createApp(world, {
    logAll: config.logAll,
    mountRest(hono) {
      mountStatic(hono, { webDir: WEB_DIR, brandingDir: branding })
      mountPage(hono, { webDir: WEB_DIR, pageConfig: () => pageOf() })
    },
  })
  const tidy = () => void world.tidy().catch((error: unknown) => log(`tidying failed: ${String(error)}`))
  const tidying = [setTimeout(tidy, FIRST_TIDY_MS), setInterval(tidy, TIDY_EVERY_MS)]

  async function pageOf() {
    const folder = await branding()
    return pageConfig(await settings.read(), {
      baseUrl: config.baseURL,
      version,
      enableExec: !config.disableExec,
      enableThumbs: !config.disableThumbnails,
      resizePreview: !config.disablePreviewResize,
      customCss: folder !== null && (await Bun.file(join(folder, 'custom.css')).exists()),
    })
  }

  // Last, so that nothing can go wrong between making a password up and telling it.
  if (config.noauth && !(await users.any())) await saveSetting(db, 'settings', JSON.stringify({ authMethod: 'noauth' }))
  const firstPassword = await ensureAdmin({ users, settings, username: config.username, password })
  return {
    app,
    firstPassword,
    async stop() {
      for (const timer of tidying) clearInterval(timer)
      await world.stop()
    },
  }
}
