/**
 * The gesture that an operation belongs to, a UUID. In an answer: something was changed, or will be by a job, and can be undone by it
 * (`operations.undo`). In a request: several requests of one user become one gesture. Answers to visitors have none.
 */
export const OPERATION_HEADER = 'x-satchel-operation'
