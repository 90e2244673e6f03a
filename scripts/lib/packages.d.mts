export const HOME: string
export const RUNTIME: string
export const RUNTIME_COMMAND: readonly [string, ...string[]]
