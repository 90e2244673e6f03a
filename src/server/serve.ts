import type { Config, Loaded } from './config.ts'
import { ConfigError } from './config/config-error.ts'
import { rememberRoot } from './config/served-root.ts'
import { ensureRoot, firstPassword, type FirstPassword, isFirstStart, markInstalled, refuseUnmounted } from './first-start.ts'
import { createLog, type Entry, type Log } from './http/log.ts'
import { listenForMetrics, type MetricsListener } from './metrics-listener.ts'
import { type Fetching, listen } from './listen.ts'

export interface World {
  readonly app: Fetching
  /** The password that was generated for the first administrator, to be printed once; null at every other start. */
  readonly firstPassword: string | null
  /** Metrics text; null if metrics are disabled. */
  readonly metrics: (() => Promise<string>) | null
  /** New requests should go elsewhere; those that come are served. */
  retire(): void
  /** The listener is about to stop: endless responses end. */
  close(): void
  stop(): Promise<void>
}

export interface ComposeOptions {
  readonly log: (entry: Entry) => void
  /** The first administrator's password, needed only if there is no account yet; null to generate one. */
  readonly password: () => FirstPassword | null
}

export type Compose = (config: Config, options: ComposeOptions) => Promise<World>

export interface Serving {
  readonly url: string
  /** Says so at `/ready` for the configured delay, gives running requests the configured grace period, then closes everything. */
  stop(): Promise<void>
}

/** From a configuration to a running server. `print` prints for the operator. Throws `ConfigError`. */
export async function serve({ config, sources }: Loaded, compose: Compose, print: (line: string) => void): Promise<Serving> {
  ensureRoot(config, { isDefault: sources.get('root')?.[0]?.from === 'default' })
  refuseUnmounted(config)
  // At the first start, checked before anything is created; if that start was killed before an account existed, the next one is a first start again.
  const password = (await isFirstStart(config)) ? firstPassword(config) : null
  const log = openLog(config)
  const world = await compose(config, { log: log.write, password: () => password ?? firstPassword(config) })
  // Before anything else can fail: it could not be printed later.
  if (world.firstPassword !== null) printPassword(config, world.firstPassword, print)
  let metrics: MetricsListener | null = null
  try {
    markInstalled(config)
    rememberRoot(config)
    metrics = config.metricsAddress === null || world.metrics === null ? null : listenForMetrics(config.metricsAddress, world.metrics)
    const listener = await listen(config, world.app, { log: log.write })
    if (metrics !== null) print(`Metrics are at ${metrics.url}`)
    print(`Satchel serves ${config.root} at ${listener.url}`)
    return {
      url: listener.url,
      async stop() {
        world.retire()
        await Bun.sleep(config.stopDelay)
        world.close()
        await listener.stop(config.shutdownGrace)
        await metrics?.stop()
        await world.stop()
        log.close()
      },
    }
  } catch (error) {
    await metrics?.stop()
    await world.stop()
    log.close()
    throw error
  }
}

function openLog({ log, logFormat }: Config): Log {
  try {
    return createLog(log, { format: logFormat })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`--log ${log} cannot be written: ${reason}`, { cause: error })
  }
}

function printPassword({ username }: Config, password: string, print: (line: string) => void): void {
  print(`Sign in as ${username} with the password ${password}`)
  print('It is shown this once; the first sign-in asks for one of your own.')
}
