import { answerAsks } from '../../threads/threads.ts'
import { match, type MatchRequest } from './match.ts'

answerAsks((ask: MatchRequest) => ({ answer: match(ask), transfer: [] }))
