import { openDatabase } from '../../src/server/db/database.ts'
import { loadSetting, saveSetting } from '../../src/server/settings/store.ts'

/** Lays settings over those of a database, also those that no call can change: `bun settings.ts <file> <JSON>`. */
const [file = '', json = '{}'] = process.argv.slice(2)
const db = await openDatabase({ file }, { clock: () => new Date() })
const before: unknown = JSON.parse((await loadSetting(db, 'settings')) ?? '{}')
await saveSetting(db, 'settings', JSON.stringify(Object.assign(before ?? {}, JSON.parse(json))))
await db.destroy()
