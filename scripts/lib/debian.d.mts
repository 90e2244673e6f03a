/** Installs what is missing. False, with what to do, where that is not ours to do. @param more needed besides */
export function installDebianPackages(more?: readonly string[]): boolean
