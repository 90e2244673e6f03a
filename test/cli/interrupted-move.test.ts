import { describeInterruptedMoves } from './interrupted-move.suite.ts'

describeInterruptedMoves('SQLite', async () => null)
