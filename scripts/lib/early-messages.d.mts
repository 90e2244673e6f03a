export function isEarly(key: string): boolean
export function isOnlyNamed(key: string): boolean
