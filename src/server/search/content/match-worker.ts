import { answerRequests } from '../../threads/threads.ts'
import { match, type MatchRequest } from './match.ts'

answerRequests((ask: MatchRequest) => ({ answer: match(ask), transfer: [] }))
