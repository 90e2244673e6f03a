import { AppError, isAppError } from '../../shared/errors.ts'
import { address } from './client.ts'

/** The address of a socket, for a path made with `href`. */
export function socketAddress(path: string): string {
  const url = new URL(address(path), location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

/** Browsers tell nobody why a connection was refused. @param call the same call without the upgrade, which says so */
export async function refusalOf(call: () => Promise<unknown>): Promise<AppError> {
  try {
    await call()
  } catch (error) {
    if (isAppError(error) && error.code !== 'unexpected') return error
  }
  return new AppError('offline', {})
}
