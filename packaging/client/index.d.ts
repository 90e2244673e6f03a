import type { ConnectOptions } from './client/connect-options.js'
import type { Satchel } from './client/satchel.js'

/** The calls of a server as functions. Nothing is asked until one is called. */
export declare function connect(options: ConnectOptions): Satchel

export type { ConnectOptions } from './client/connect-options.js'
export type * from './client/satchel.js'
export type { Patience } from './client/retry.js'
export { download } from './client/download.js'
export { upload, type UploadOptions } from './client/upload.js'
export { watch, type FolderEvent } from './client/watch.js'
export { AppError as SatchelError, isAppError as isSatchelError, type ErrorCode, type ErrorDetails } from './shared/errors.js'
