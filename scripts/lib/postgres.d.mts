export function startPostgres(how?: { isDurable?: boolean }): Promise<{
  url: string
  restart: () => void
  halt: () => void
  start: () => void
  pause: () => void
  resume: () => void
  stop: () => void
}>
