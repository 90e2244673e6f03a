export function serverCommand(): [string, ...string[]]
export function serverMain(): string
export function isServerBuilt(): boolean
export function buildFolder(home?: string): string
