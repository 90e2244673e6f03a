import { ConfigError } from '../config/config-error.ts'
import { defineCommand, type Call, type ServerSettings } from './command.ts'

/** Longer than the server gives its database. */
const PATIENCE_MS = 8000

/** For container runtimes, whose images have no HTTP client. */
export const HEALTH_COMMAND = defineCommand('health', 'asks the running server whether it can work; the exit code is 1 if not', health, {
  server: 'all',
})

async function health({ serverSettings, terminal }: Call): Promise<void> {
  const { url, unix } = addressOf(serverSettings)
  const answer = await fetch(url, {
    unix,
    // The certificate is for the name that browsers use.
    tls: { rejectUnauthorized: false },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => null)
  if (answer === null) throw new ConfigError(`nothing answers at ${unix ?? url}`)
  if (!answer.ok) throw new ConfigError(`the server cannot work: ${await answer.text()}`)
  terminal.out('OK')
}

function addressOf({ address, port, socket, cert }: ServerSettings): { url: string; unix?: string } {
  if (socket !== null) return { url: 'http://localhost/health', unix: socket }
  const isEverywhere = address === '' || address === '0.0.0.0' || address === '::'
  const host = isEverywhere ? 'localhost' : address.includes(':') ? `[${address}]` : address
  return { url: `${cert === null ? 'http' : 'https'}://${host}:${port}/health` }
}
