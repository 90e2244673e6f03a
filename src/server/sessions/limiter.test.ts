import { createLimiter } from './limiter.ts'
import { describeLimiter } from './limiter.suite.ts'

describeLimiter('in memory', async (clock) => createLimiter({ clock }), { many: 20_000 })
