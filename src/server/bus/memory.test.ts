import { describeBus } from './bus.suite.ts'
import { createMemoryBus } from './memory.ts'

describeBus('memory', createMemoryBus, async () => {
  await new Promise((resolve) => setTimeout(resolve, 0))
})
