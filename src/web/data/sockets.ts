import { AppError, isAppError } from '../../shared/errors.ts'
import { address } from './client.ts'

/** WebSocket address of a path made with `href`. */
export function socketAddress(path: string): string {
  const url = new URL(address(path), location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

/** Browsers do not say why a WebSocket was refused. @param call the same request without the upgrade, which returns the error */
export async function refusalOf(call: () => Promise<unknown>): Promise<AppError> {
  try {
    await call()
  } catch (error) {
    if (isAppError(error) && error.code !== 'unexpected') return error
  }
  return new AppError('offline', {})
}
