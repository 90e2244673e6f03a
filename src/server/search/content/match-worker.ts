import { answerAsks } from '../../threads/threads.ts'
import { match, type MatchAsk } from './match.ts'

answerAsks((ask: MatchAsk) => ({ answer: match(ask), transfer: [] }))
