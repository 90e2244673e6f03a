import { connectDatabase, peersOf } from '../../src/server/db/database.ts'
import { isAppError } from '../../src/shared/errors.ts'

/** A process that is stopped while it holds a lock. Its arguments: the address of the database, and the lock. Ends with 0 if it finds out afterwards. */
const [url = '', lock = ''] = process.argv.slice(2)
const db = await connectDatabase({ url })
const found = await peersOf(db)
  .briefly(lock, { read: 'select 1' }, () => {
    process.kill(process.pid, 'SIGSTOP')
    return { result: null, write: "insert into settings (key, value) values ('late', 'x')" }
  })
  .catch((error: unknown) => error)
process.exit(isAppError(found, 'offline') ? 0 : 1)
