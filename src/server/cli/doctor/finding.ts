/** `problem`: something does not work or is not safe. `advice`: it works, but could be better. */
export type Standing = 'fine' | 'advice' | 'problem'

export interface Finding {
  readonly about: string
  readonly standing: Standing
  readonly text: string
  /** What to do about it; empty if all is fine. */
  readonly todo: string
}

export function fine(about: string, text: string): Finding {
  return { about, standing: 'fine', text, todo: '' }
}

export function advice(about: string, text: string, todo: string): Finding {
  return { about, standing: 'advice', text, todo }
}

export function problem(about: string, text: string, todo: string): Finding {
  return { about, standing: 'problem', text, todo }
}

/** `1.5 GiB`, for people at a terminal. */
export function inBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`
}

/** One line, without the stack trace. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.split('\n')[0] ?? '').trim()
}
