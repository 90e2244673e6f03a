export function startPostgres(): Promise<{
  url: string
  restart: () => void
  halt: () => void
  start: () => void
  pause: () => void
  resume: () => void
  stop: () => void
}>
