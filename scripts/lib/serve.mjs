import { spawn } from 'node:child_process'

/** Runs the server in our place: it gets our arguments and signals, and we end as it ends. */
export function serve([runtime, ...options]) {
  const server = spawn(runtime, [...options, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
  server.once('error', (error) => {
    console.error(`satchel: ${error.message}`)
    process.exitCode = 1
  })
  server.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
  })
}
