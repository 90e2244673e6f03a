export const WEB: string
export const STAMP: string
export const WEB_PACKAGES: string
export function isWebBuilt(): boolean
