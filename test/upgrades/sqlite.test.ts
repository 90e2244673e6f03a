import { join } from 'node:path'
import { describeUpgrades } from './upgrade.suite.ts'

describeUpgrades('SQLite', async (home) => ({ file: join(home, 'satchel.db') }))
